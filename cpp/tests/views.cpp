#include "stylobate/views.hpp"

#include <numeric>

#include "check.hpp"
#include "scan/structure.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/errors.hpp"

namespace stylobate {

TEST(views_address_every_layout) {
    double memory[12];
    std::iota(memory, memory + 12, 0.0);
    const MatrixView<double> by_rows{memory, 3, 4, 4, 1}, by_columns{memory, 3, 4, 1, 3};
    const MatrixView<double> reversed{memory + 11, 3, 4, -4, -1}, broadcast{memory + 4, 5, 4, 0, 1};
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 4; ++j) {
            CHECK(by_rows(i, j) == static_cast<double>(4 * i + j));
            CHECK(by_columns(i, j) == static_cast<double>(i + 3 * j));
            CHECK(reversed(i, j) == static_cast<double>(11 - 4 * i - j));
            CHECK(broadcast(i, j) == static_cast<double>(4 + j));
        }
    CHECK(by_rows.row(2) == memory + 8);
    CHECK(by_rows.rows_contiguous() && broadcast.rows_contiguous());
    CHECK(!by_columns.rows_contiguous() && !reversed.rows_contiguous());
    CHECK((MatrixView<double>{memory, 3, 1, 4, 4}).rows_contiguous());
}

TEST(buffers_are_aligned_zeroed_and_bounded) {
    for (const Index size : {0, 1, 7, 8, 9, 1000}) {
        Buffer buffer(size);
        CHECK(buffer.size() == size);
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
        for (Index i = 0; i < size; ++i) CHECK(buffer[i] == 0.0);
    }
    CHECK_THROWS(std::bad_alloc, Buffer(-1));
    CHECK_THROWS(std::bad_alloc, Buffer(PTRDIFF_MAX));
    CHECK(area(3, 5) == 15 && area(0, 5) == 0);
    CHECK_THROWS(std::bad_alloc, area(Index{1} << 40, Index{1} << 40));
    for (Index cols = 1; cols < 200; ++cols) {
        const Index stride = padded_stride(cols);
        CHECK(stride >= cols && stride % 8 == 0 && stride / 8 % 2 == 1);
    }
}

TEST(compressed_structure_is_checked) {
    const double values[] = {1, 2, 3};
    const auto refuses = [&](std::vector<int> indices, std::vector<int> offsets, Index cols) {
        const SparseView<double, int> x{values, indices.data(), offsets.data(),
                                        static_cast<Index>(offsets.size()) - 1, cols};
        try {
            scan::check_structure(x, static_cast<Index>(indices.size()));
        } catch (const InvalidArgument&) {
            return true;
        }
        return false;
    };
    CHECK(!refuses({0, 2, 1}, {0, 2, 2, 3}, 3));
    CHECK(!refuses({}, {0}, 0));
    CHECK(refuses({0, 3, 1}, {0, 2, 2, 3}, 3));   // index too large
    CHECK(refuses({0, -1, 1}, {0, 2, 2, 3}, 3));  // index negative
    CHECK(refuses({0, 2, 1}, {0, 2, 1, 3}, 3));   // offsets decrease
    CHECK(refuses({0, 2, 1}, {1, 2, 2, 3}, 3));   // do not begin with 0
    CHECK(refuses({0, 2, 1}, {0, 2, 2, 4}, 3));   // end beyond the entries
    CHECK(refuses({}, {0}, -1));
}

}  // namespace stylobate
