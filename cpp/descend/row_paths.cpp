#include <atomic>
#include <memory>

#include "descend/elastic_net_path.hpp"
#include "descend/row_path.hpp"

namespace stylobate::descend {
namespace {

constexpr Index max_rounds = 100;

// Several regressions side by side: a reading of the columns serves them all.
class RowPaths {
 public:
    RowPaths(const Columns& x, const RowProblems& problems, const Rules& rules)
        : x_(x), rules_(rules) {
        for (Index i = 0; i < problems.count; ++i)
            paths_.push_back(std::make_unique<RowPath>(x, problems, i));
        begin(problems);
        if (problems.start == nullptr) return;
        for (Index i = 0; i < problems.count; ++i) paths_[i]->start(problems.start + i * x.cols());
        read({});
    }

    // All regressions at one penalty each.
    void solve(const ElasticNet* penalties, Index step) {
        recall();
        for (Index i = 0; i < size(); ++i) paths_[i]->begin_penalty(penalties[i * step], rules_);
        for (Index round = 0; round < max_rounds; ++round) {
            each([&](RowPath& path, Index i, Checkpoint& checkpoint) {
                path.advance(penalties[i * step], rules_, round, checkpoint);
            });
            read(cells([](const RowPath& path, Index j) { return path.must_read(j); }));
            for (Index i = 0; i < size(); ++i) paths_[i]->judge(penalties[i * step], rules_);
            if (unfinished().empty()) break;
        }
    }

    const RowPath& path(Index i) const { return *paths_[i]; }

    void keep(std::vector<Record>& records) {
        for (Index i = 0; i < size(); ++i) paths_[i]->keep(&records[i]);
    }

 private:
    Index size() const { return static_cast<Index>(paths_.size()); }

    std::vector<Index> unfinished() const {
        std::vector<Index> left;
        for (Index i = 0; i < size(); ++i)
            if (!paths_[i]->done()) left.push_back(i);
        return left;
    }

    // The body for every regression that is not done: side by side if there are several.
    template <class Body>
    void each(const Body& body) {
        const std::vector<Index> left = unfinished();
        if (left.size() == 1) {
            static const std::atomic<bool> never{false};
            Checkpoint checkpoint(never, true);
            body(*paths_[left[0]], left[0], checkpoint);
            return;
        }
        parallel_for(static_cast<Index>(left.size()), [&](Index k, Checkpoint& checkpoint) {
            body(*paths_[left[k]], left[k], checkpoint);
        });
    }

    // The columns' means and lengths, and in the same reading their products with the targets.
    void begin(const RowProblems& problems) {
        const Index n = x_.rows(), p = x_.cols(), count = problems.count;
        const Index own = problems.weights ? p : 0;  // between one regression's sums and the next's
        const double *sums = problems.sums, *squares = problems.squares;
        const double* products = problems.products;
        Measures found;
        if (products == nullptr) {
            const std::vector<double> ones(problems.weights ? 0 : n, 1.0);
            std::vector<double> targets(area(count, n));
            for (Index i = 0; i < count; ++i) paths_[i]->weighted_residual(targets.data() + i * n);
            found = measure(x_, problems.weights ? problems.weights : ones.data(),
                            problems.weights ? count : 1, targets.data(), count);
            sums = found.sums.data(), squares = found.squares.data();
            products = found.products.data();
        }
        for (Index i = 0; i < count; ++i)
            paths_[i]->begin(sums + i * own, squares + i * own, products + i * p);
    }

    // Cells with a column for which some regression that is not done answers yes.
    template <class Question>
    std::vector<char> cells(const Question& question) const {
        std::vector<char> awake((x_.cols() + column_cell - 1) / column_cell, 0);
        for (const Index i : unfinished())
            for (Index j = 0; j < x_.cols(); ++j)
                if (question(*paths_[i], j)) awake[j / column_cell] = 1;
        return awake;
    }

    // What was dropped at the penalty before is read again at the next.
    void recall() {
        std::vector<char> awake((x_.cols() + column_cell - 1) / column_cell, 0);
        bool any = false;
        for (auto& path : paths_) {
            for (Index j = 0; !path->remembers_all() && j < x_.cols(); ++j)
                if (path->forgotten(j)) awake[j / column_cell] = 1, any = true;
            path->recall();
        }
        if (any) read(awake);
    }

    // Correlations of the columns in these cells (all, where empty), for who is not done.
    void read(const std::vector<char>& awake) {
        const Index n = x_.rows();
        const std::vector<Index> left = unfinished();
        residuals_.resize(left.size() * n);
        for (std::size_t k = 0; k < left.size(); ++k)
            paths_[left[k]]->weighted_residual(residuals_.data() + k * n);
        correlate(x_, residuals_, static_cast<Index>(left.size()), awake, products_);
        for (std::size_t k = 0; k < left.size(); ++k)
            paths_[left[k]]->take_products(products_.data() + k * x_.cols(),
                                           residuals_.data() + k * n, awake);
    }

    const Columns& x_;
    const Rules& rules_;
    std::vector<std::unique_ptr<RowPath>> paths_;
    std::vector<double> residuals_, products_;
};

}  // namespace

Paths row_paths(const Columns& x, const RowProblems& problems, const ElasticNet* penalties,
                Index n_penalties, const Rules& rules) {
    Paths out(problems.count * n_penalties, x.cols());
    RowPaths paths(x, problems, rules);
    if (rules.record) {
        out.records.resize(problems.count);
        paths.keep(out.records);
    }
    for (Index a = 0; a < n_penalties; ++a) {
        paths.solve(penalties + a, n_penalties);
        for (Index i = 0; i < problems.count; ++i) paths.path(i).report(out, i * n_penalties + a);
    }
    return out;
}

}  // namespace stylobate::descend
