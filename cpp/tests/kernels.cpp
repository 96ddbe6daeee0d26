// Every instruction set of this machine against the same naive sums.
#include "scan/kernels.hpp"

#include <vector>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate {
namespace {

using namespace tests;

std::vector<const scan::Kernels*> every_set() {
    std::vector<const scan::Kernels*> sets;
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512, Isa::vnni})
        if (const scan::Kernels* set = scan::kernels_of(which)) sets.push_back(set);
    return sets;
}

Buffer packed_rows(Index rows, Index cols, Index ld, unsigned seed) {
    const Matrix<double> x = random_matrix<double>(rows, cols, Layout::rows, seed);
    Buffer a(rows * ld);
    for (Index k = 0; k < rows; ++k)
        for (Index j = 0; j < cols; ++j) a[k * ld + j] = x.view(k, j);
    return a;
}

void check_gram(const scan::Kernels& set, Index rows, Index cols) {
    const Index ld = padded_stride(cols);
    const Buffer a = packed_rows(rows, cols, ld, static_cast<unsigned>(100 * rows + cols));
    Buffer whole(cols * ld), parts(cols * ld);
    const Index bytes = rows * ld * static_cast<Index>(sizeof(double));
    set.gram(a.data(), rows, ld, 0, cols, whole.data(), ld, a.data(), bytes);
    for (Index j = 0; j < cols; j += 16)
        set.gram(a.data(), rows, ld, j, std::min(cols, j + 16), parts.data(), ld, nullptr, 0);
    for (Index j = 0; j < cols; ++j)
        for (Index i = 0; i <= j; ++i) {
            long double sum = 0, size = 0;
            for (Index k = 0; k < rows; ++k) {
                const long double product = static_cast<long double>(a[k * ld + i]) * a[k * ld + j];
                sum += product, size += std::fabs(product);
            }
            CHECK_CLOSE(whole[j * ld + i], sum, 1e-15 * static_cast<double>(size * rows));
            CHECK(whole[j * ld + i] == parts[j * ld + i]);
        }
}

template <class T>
void check_pack(void (*pack)(const MatrixView<T>&, const double*, double*, Index), Index rows,
                Index cols, Layout layout) {
    const Matrix<T> x = random_matrix<T>(rows, cols, layout, 5);
    const Index ld = padded_stride(cols);
    Buffer out(rows * ld), shift(cols);
    for (Index j = 0; j < cols; ++j) shift[j] = 0.1 * static_cast<double>(j);
    pack(x.view, shift.data(), out.data(), ld);
    for (Index k = 0; k < rows; ++k)
        for (Index j = 0; j < ld; ++j) {
            const double expected = j < cols ? static_cast<double>(x.view(k, j)) - shift[j] : 0.0;
            CHECK(out[k * ld + j] == expected);
        }
}

}  // namespace

TEST(gram_of_every_width) {
    for (const scan::Kernels* set : every_set())
        for (Index cols = 1; cols <= 70; ++cols)
            for (const Index rows : {1, 2, 7, 33}) check_gram(*set, rows, cols);
}

TEST(gram_adds_to_what_is_there) {
    for (const scan::Kernels* set : every_set()) {
        const Index rows = 5, cols = 11, ld = padded_stride(cols);
        const Buffer a = packed_rows(rows, cols, ld, 3);
        Buffer once(cols * ld), twice(cols * ld);
        set->gram(a.data(), rows, ld, 0, cols, once.data(), ld, nullptr, 0);
        for (int pass = 0; pass < 2; ++pass)
            set->gram(a.data(), rows, ld, 0, cols, twice.data(), ld, nullptr, 0);
        for (Index j = 0; j < cols; ++j)
            for (Index i = 0; i <= j; ++i) CHECK(twice[j * ld + i] == 2.0 * once[j * ld + i]);
        set->gram(a.data(), 0, ld, 0, cols, once.data(), ld, nullptr, 0);
        set->gram(a.data(), rows, ld, 4, 4, once.data(), ld, nullptr, 0);
        for (Index j = 0; j < cols; ++j)
            for (Index i = 0; i <= j; ++i) CHECK(twice[j * ld + i] == 2.0 * once[j * ld + i]);
    }
}

TEST(pack_of_every_layout) {
    for (const scan::Kernels* set : every_set())
        for (const Layout layout : layouts)
            for (const Index cols : {1, 2, 7, 8, 9, 16, 33})
                for (const Index rows : {1, 2, 13}) {
                    check_pack<double>(set->pack_f64, rows, cols, layout);
                    check_pack<float>(set->pack_f32, rows, cols, layout);
                }
}

TEST(pack_of_a_broadcast_row) {
    const double row[] = {1, 2, 3};
    const Buffer shift(3);
    for (const scan::Kernels* set : every_set()) {
        Buffer out(4 * 8);
        set->pack_f64({row, 4, 3, 0, 1}, shift.data(), out.data(), 8);
        for (Index k = 0; k < 4; ++k)
            for (Index j = 0; j < 3; ++j) CHECK(out[k * 8 + j] == row[j]);
    }
}

TEST(the_chosen_set_is_one_of_them) {
    CHECK(scan::kernels_of(Isa::base) != nullptr);
    CHECK(&scan::kernels() == scan::kernels_of(isa()));
}

}  // namespace stylobate
