#include "cluster/starts.hpp"

#include "cluster/centre_sums.hpp"

namespace stylobate::cluster {

template <class T>
BestCandidate best_candidate(const MatrixView<T>& x, const double* weights,
                             const std::vector<Index>& candidates, const double* closest) {
    constexpr Index step = 2048;
    const Index n = x.rows, m = static_cast<Index>(candidates.size());
    std::vector<double> squares(static_cast<std::size_t>(area(m, n)));
    std::vector<double> parts(static_cast<std::size_t>(area((n + step - 1) / step, m)));
    over_rows(n, step, [&](Index begin, Index end, Index c, Checkpoint& checkpoint) {
        for (Index j = 0; j < m; ++j) {
            const T* const centre = x.row(candidates[j]);
            double* const out = squares.data() + j * n;
            double sum = 0.0;
            for (Index i = begin; i < end; ++i) {
                const double value = square(x.row(i), centre, x.cols);
                out[i] = closest == nullptr || value < closest[i] ? value : closest[i];
                sum += weights == nullptr ? out[i] : weights[i] * out[i];
            }
            parts[c * m + j] = sum;
            checkpoint();
        }
    });
    BestCandidate found;
    for (Index j = 0; j < m; ++j) {
        double sum = 0.0;
        for (std::size_t c = 0; c * m < parts.size(); ++c) sum += parts[c * m + j];
        if (j == 0 || sum < found.potential) found.which = j, found.potential = sum;
    }
    found.closest.assign(squares.begin() + found.which * n,
                         squares.begin() + (found.which + 1) * n);
    return found;
}

template BestCandidate best_candidate(const MatrixView<double>&, const double*,
                                      const std::vector<Index>&, const double*);
template BestCandidate best_candidate(const MatrixView<float>&, const double*,
                                      const std::vector<Index>&, const double*);

}  // namespace stylobate::cluster
