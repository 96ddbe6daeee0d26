#include "network/embedding.hpp"

#include <algorithm>

#include "network/examples.hpp"

namespace stylobate::network {
namespace {

template <class T>
Index count_of(const std::vector<T>& values) {
    return static_cast<Index>(values.size());
}

}  // namespace

template <class T>
WrongCode first_wrong_code(const Embedded& e, const T* x, Index rows, Index cols) {
    for (Index place = 0; place < count_of(e.columns); ++place) {
        const auto at = static_cast<std::size_t>(place);
        const T most = static_cast<T>(e.categories[at]);
        for (Index row = 0; row < rows; ++row) {
            const T value = x[row * cols + e.columns[at]];
            const bool within = value >= T(0) && value < most;  // no for NaN
            if (!within || static_cast<T>(static_cast<Index>(value)) != value) return {row, place};
        }
    }
    return {};
}

template <class T>
void embed(const Embedded& e, const std::vector<const T*>& tables, const T* x, Index rows,
           Index cols, T* y) {
    const Index width = e.outputs();
    over_examples(rows, width, [&](Index first, Index end) {
        for (Index row = first; row < end; ++row) {
            const T* from = x + row * cols;
            T* to = y + row * width;
            for (const Index column : e.plain) *to++ = from[column];
            for (std::size_t place = 0; place < e.columns.size(); ++place) {
                const auto code = static_cast<Index>(from[e.columns[place]]);
                to = std::copy_n(tables[place] + code * e.size, e.size, to);
            }
        }
    });
}

template <class T>
void embed_back(const Embedded& e, const T* x, const T* dy, Index rows, Index cols, T* dx,
                const std::vector<T*>& d_tables) {
    const Index width = e.outputs(), n_plain = count_of(e.plain);
    over_examples(rows, cols, [&](Index first, Index end) {
        std::fill_n(dx + first * cols, (end - first) * cols, T(0));
        for (Index row = first; row < end; ++row)
            for (Index k = 0; k < n_plain; ++k)
                dx[row * cols + e.plain[static_cast<std::size_t>(k)]] = dy[row * width + k];
    });
    parallel_for(count_of(e.columns), [&](Index task, Checkpoint& checkpoint) {
        const auto place = static_cast<std::size_t>(task);
        std::vector<double> sums(static_cast<std::size_t>(e.categories[place] * e.size), 0.0);
        const Index at = n_plain + task * e.size;
        for (Index row = 0; row < rows; ++row) {
            if (row % 4096 == 0) checkpoint();
            const auto code = static_cast<Index>(x[row * cols + e.columns[place]]);
            double* to = sums.data() + code * e.size;
            const T* from = dy + row * width + at;
            for (Index k = 0; k < e.size; ++k) to[k] += static_cast<double>(from[k]);
        }
        std::transform(sums.begin(), sums.end(), d_tables[place],
                       [](double sum) { return static_cast<T>(sum); });
    });
}

template WrongCode first_wrong_code(const Embedded&, const float*, Index, Index);
template WrongCode first_wrong_code(const Embedded&, const double*, Index, Index);
template void embed(const Embedded&, const std::vector<const float*>&, const float*, Index, Index,
                    float*);
template void embed(const Embedded&, const std::vector<const double*>&, const double*, Index, Index,
                    double*);
template void embed_back(const Embedded&, const float*, const float*, Index, Index, float*,
                         const std::vector<float*>&);
template void embed_back(const Embedded&, const double*, const double*, Index, Index, double*,
                         const std::vector<double*>&);

}  // namespace stylobate::network
