#include "descend/vertex.hpp"

#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "reference.hpp"
#include "scan/products.hpp"
#include "stylobate/errors.hpp"

namespace stylobate {
namespace {

using namespace tests;
using descend::PiecewiseLinear;
using descend::Vertex;

struct Problem {
    Matrix<double> a;
    std::vector<double> y, low, high;

    PiecewiseLinear view() const {
        return {a.view.data, a.view.rows, a.view.cols, y.data(), low.data(), high.data()};
    }
};

Problem random_problem(Index n, Index q, double tau, unsigned seed) {
    Problem made{random_matrix<double>(n, q, Layout::rows, seed), {}, {}, {}};
    const Matrix<double> noise = random_matrix<double>(n, 1, Layout::rows, seed + 1);
    for (Index i = 0; i < n; ++i) made.y.push_back(noise.view(i, 0));
    made.low.assign(n, tau - 1.0);
    made.high.assign(n, tau);
    return made;
}

std::vector<Index> artificial(const Problem& problem) {
    std::vector<Index> basis(problem.a.view.cols);
    std::iota(basis.begin(), basis.end(), problem.a.view.rows);
    return basis;
}

// Low ≤ d ≤ high, Aᵀd = 0 and Σ max(low r, high r) = dᵀy: a proof that nothing is lower.
void check_proved(const Problem& problem, const Vertex& found) {
    const MatrixView<double> a = problem.a.view;
    CHECK(found.optimal);
    double primal = 0.0, dual = 0.0;
    std::vector<double> pull(a.cols, 0.0);
    for (Index i = 0; i < a.rows; ++i) {
        double r = problem.y[i];
        for (Index j = 0; j < a.cols; ++j) r -= a(i, j) * found.theta[j];
        primal += std::max(problem.low[i] * r, problem.high[i] * r);
        dual += found.dual[i] * problem.y[i];
        for (Index j = 0; j < a.cols; ++j) pull[j] += found.dual[i] * a(i, j);
        CHECK(found.dual[i] >= problem.low[i] && found.dual[i] <= problem.high[i]);
    }
    CHECK_CLOSE(primal, dual, 1e-9 * (1.0 + primal));
    for (const double each : pull) CHECK_CLOSE(each, 0.0, 1e-9 * static_cast<double>(a.rows));
}

}  // namespace

TEST(vertices_found_are_optimal) {
    for (const Index q : {1, 2, 5, 9})
        for (const Index n : {1, 3, 40, 300})
            for (const double tau : {0.5, 0.1}) {
                const Problem problem = random_problem(n, q, tau, 7);
                check_proved(problem, descend::descend_by_vertices(problem.view(),
                                                                   artificial(problem), 100000));
            }
}

TEST(vertices_of_tied_and_dependent_rows) {
    Problem problem = random_problem(120, 4, 0.5, 11);
    for (Index i = 0; i < 120; ++i) {
        for (Index j = 0; j < 3; ++j) problem.a.at(i, j) = static_cast<double>((i * (j + 1)) % 3);
        problem.a.at(i, 3) = problem.a.at(i, 0);  // the first column again
        problem.y[i] = static_cast<double>((i * 7) % 5);
    }
    check_proved(problem,
                 descend::descend_by_vertices(problem.view(), artificial(problem), 100000));
}

TEST(vertices_go_on_from_a_basis) {
    const Problem problem = random_problem(200, 3, 0.3, 5);
    const Vertex first = descend::descend_by_vertices(problem.view(), artificial(problem), 100000);
    const Vertex again = descend::descend_by_vertices(problem.view(), first.basis, 100000);
    CHECK(again.pivots == 0);
    check_proved(problem, again);
    const Vertex cut = descend::descend_by_vertices(problem.view(), artificial(problem), 1);
    CHECK(!cut.optimal && cut.pivots == 1);
}

TEST(vertices_refuse_a_basis_that_is_none) {
    const Problem problem = random_problem(10, 2, 0.5, 3);
    CHECK_THROWS(InvalidArgument, descend::descend_by_vertices(problem.view(), {0}, 10));
    CHECK_THROWS(InvalidArgument, descend::descend_by_vertices(problem.view(), {0, 12}, 10));
    CHECK(!descend::descend_by_vertices(problem.view(), {1, 1}, 10).optimal);
}

TEST(products_of_every_layout) {
    for (const Layout layout : {Layout::rows, Layout::columns, Layout::padded_rows}) {
        const Matrix<double> x = random_matrix<double>(517, 6, layout, 9);
        const std::vector<double> coef{1.0, -2.0, 0.5, 0.0, 3.0, 1.5};
        std::vector<double> out(517), sums(6), factor(517);
        for (Index i = 0; i < 517; ++i) factor[i] = static_cast<double>(i % 7) - 3.0;
        const scan::DenseFeatures<double> features(x.view);
        scan::row_values(features, coef.data(), 0.25, out.data());
        scan::column_sums(features, factor.data(), sums.data());
        std::vector<double> expected(6, 0.0);
        for (Index i = 0; i < 517; ++i) {
            double value = 0.25;
            for (Index j = 0; j < 6; ++j) {
                value += x.view(i, j) * coef[j];
                expected[j] += factor[i] * x.view(i, j);
            }
            CHECK_CLOSE(out[i], value, 1e-13 * (1.0 + std::fabs(value)));
        }
        for (Index j = 0; j < 6; ++j) CHECK_CLOSE(sums[j], expected[j], 1e-11);
    }
}

}  // namespace stylobate
