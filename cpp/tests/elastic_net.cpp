// The elastic net's solvers against each other and against their optimality conditions.
#include "descend/elastic_net.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "descend/cholesky.hpp"
#include "descend/dense.hpp"
#include "descend/elastic_net_path.hpp"
#include "descend/support_inverse.hpp"
#include "stylobate/random.hpp"

namespace stylobate::tests {
namespace {

using namespace stylobate::descend;

std::vector<double> numbers(Index count, std::uint64_t stream) {
    const Philox draw(7, stream);
    std::vector<double> out(count);
    for (Index i = 0; i < count; ++i) out[i] = draw.uniform(i) - 0.4;
    return out;
}

struct Data {
    Index n, p;
    std::vector<double> x, y;
};

Data make(Index n, Index p) {
    Data data{n, p, numbers(n * p, 1), numbers(n, 2)};
    for (Index i = 0; i < n; ++i) data.y[i] += 2.0 * data.x[i * p] - data.x[i * p + p - 1];
    return data;
}

std::vector<double> gram_of(const Data& d) {
    std::vector<double> g(d.p * d.p, 0.0);
    for (Index i = 0; i < d.n; ++i)
        for (Index a = 0; a < d.p; ++a)
            for (Index b = 0; b < d.p; ++b) g[a * d.p + b] += d.x[i * d.p + a] * d.x[i * d.p + b];
    return g;
}

Paths from_rows(const Data& d, const std::vector<ElasticNet>& penalties, const Rules& rules,
                bool intercept) {
    const DenseColumns<double> x({d.x.data(), d.n, d.p, d.p, 1});
    const RowProblems problems{d.y.data(), nullptr, nullptr, 1, intercept};
    return row_paths(x, problems, penalties.data(), static_cast<Index>(penalties.size()), rules);
}

std::vector<ElasticNet> down(double l1, double l2) {
    std::vector<ElasticNet> penalties;
    for (int step = 0; step < 12; ++step, l1 *= 0.6, l2 *= 0.6) penalties.push_back({l1, l2});
    return penalties;
}

void compare(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    CHECK(a.size() == b.size());
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) CHECK_CLOSE(a[i], b[i], tolerance);
}

}  // namespace

TEST(kernels_of_descent_equal_plain_sums) {
    const Index n = 37, p = 29;
    const std::vector<double> x = numbers(n * p, 3), r = numbers(n * 5, 4);
    std::vector<float> single(x.begin(), x.end());
    std::vector<double> turned(n * p), rows(5 * p), columns(5 * p), plain(5 * p), half(5 * p);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < p; ++j) {
            turned[j * n + i] = x[i * p + j];
            for (Index f = 0; f < 5; ++f) plain[f * p + j] += x[i * p + j] * r[f * n + i];
        }
    dense().correlate_rows_f64(x.data(), n, p, p, r.data(), 5, n, rows.data(), p);
    dense().correlate_columns_f64(turned.data(), n, n, p, r.data(), 5, n, columns.data(), p);
    dense().correlate_rows_f32(single.data(), n, p, p, r.data(), 5, n, half.data(), p);
    compare(rows, plain, 1e-13);
    compare(columns, plain, 1e-13);
    compare(half, plain, 1e-5);
    std::vector<double> products(5 * p);
    dense().products(r.data(), 5, n, turned.data(), p, n, n, products.data(), p);
    compare(products, plain, 1e-13);
}

TEST(rows_and_gram_lead_to_the_same_elastic_net) {
    const Rules rules{false, false, 0, 1e-10, 0.0, 5000, true};
    for (const auto& [n, p] : {std::pair<Index, Index>{60, 12}, {15, 40}}) {
        const Data d = make(n, p);
        const std::vector<double> gram = gram_of(d);
        std::vector<double> xy(p, 0.0);
        double yy = 0.0;
        for (Index i = 0; i < n; ++i) {
            yy += d.y[i] * d.y[i];
            for (Index j = 0; j < p; ++j) xy[j] += d.x[i * p + j] * d.y[i];
        }
        for (const double l2 : {0.0, 1.0}) {
            const std::vector<ElasticNet> penalties = down(3.0, l2);
            const Index which = 0;
            const GramProblems problems{gram.data(), &which, xy.data(), &yy, nullptr, 1, p};
            const Paths a = gram_paths(problems, penalties.data(), 12, rules);
            const Paths b = from_rows(d, penalties, rules, false);
            compare(a.coef, b.coef, 1e-6);
            for (std::size_t i = 0; i < a.gap.size(); ++i) {
                CHECK(a.gap[i] <= 1e-9 * a.primal[i]);
                CHECK(b.gap[i] <= 1e-9 * b.primal[i]);
            }
        }
    }
}

TEST(plain_sweeps_are_those_of_the_textbook) {
    const Index n = 20, p = 7;
    const Data d = make(n, p);
    const std::vector<double> gram = gram_of(d);
    std::vector<double> xy(p, 0.0), w(p, 0.0);
    double yy = 0.0;
    for (Index i = 0; i < n; ++i) {
        yy += d.y[i] * d.y[i];
        for (Index j = 0; j < p; ++j) xy[j] += d.x[i * p + j] * d.y[i];
    }
    const ElasticNet penalty{0.7, 0.2};
    Rules rules{false, false, 0, 0.0, 0.0, 1, false};
    rules.plain = true;
    const Index which = 0;
    for (int epoch = 0; epoch < 9; ++epoch) {  // more than two extrapolations would take
        const std::vector<double> start = w;
        const GramProblems problems{gram.data(), &which, xy.data(), &yy, start.data(), 1, p};
        const Paths found = gram_paths(problems, &penalty, 1, rules);
        for (Index j = 0; j < p; ++j) {
            double c = xy[j];
            for (Index k = 0; k < p; ++k) c -= gram[j * p + k] * w[k];
            const double z = c + gram[j * p + j] * w[j];
            w[j] = soft_threshold(z, penalty.l1, false) / (gram[j * p + j] + penalty.l2);
        }
        compare(found.coef, w, 1e-12);
    }
}

TEST(compressed_columns_and_weights_equal_dense_rows) {
    const Index n = 30, p = 20;
    Data d = make(n, p);
    for (std::size_t i = 0; i < d.x.size(); ++i)
        if (i % 3 != 0) d.x[i] = 0.0;
    std::vector<double> values, weights = numbers(n, 5);
    std::vector<std::int32_t> indices, offsets{0};
    for (double& w : weights) w = std::fabs(w);
    weights[4] = 0.0;
    for (Index j = 0; j < p; ++j) {
        for (Index i = 0; i < n; ++i)
            if (d.x[i * p + j] != 0.0) {
                values.push_back(d.x[i * p + j]);
                indices.push_back(static_cast<std::int32_t>(i));
            }
        offsets.push_back(static_cast<std::int32_t>(values.size()));
    }
    const Rules rules{false, false, 0, 1e-10, 0.0, 5000, true};
    const std::vector<ElasticNet> penalties = down(1.0, 0.0);
    const RowProblems problems{d.y.data(), weights.data(), nullptr, 1, true};
    const DenseColumns<double> rows({d.x.data(), n, p, p, 1});
    const SparseColumns<double, std::int32_t> columns(
        {values.data(), indices.data(), offsets.data(), p, n});
    const Paths a = row_paths(rows, problems, penalties.data(), 12, rules);
    const Paths b = row_paths(columns, problems, penalties.data(), 12, rules);
    compare(a.coef, b.coef, 1e-7);
    compare(a.intercept, b.intercept, 1e-7);
}

TEST(repeated_columns_do_not_stop_newton) {
    Data d = make(12, 30);
    for (Index i = 0; i < 12; ++i)
        for (Index j = 15; j < 30; ++j) d.x[i * 30 + j] = d.x[i * 30 + j - 15];
    const Rules rules{false, false, 0, 1e-9, 0.0, 5000, true};
    const Paths paths = from_rows(d, down(1.0, 0.0), rules, true);
    for (std::size_t i = 0; i < paths.gap.size(); ++i)
        CHECK(paths.gap[i] <= 1e-8 * paths.primal[i]);
}

TEST(the_inverse_follows_its_support) {
    const Data d = make(40, 25);
    const std::vector<double> entries = gram_of(d);
    std::vector<double> lengths(25);
    for (Index j = 0; j < 25; ++j) lengths[j] = entries[j * 25 + j];
    const Gram gram{entries.data(), 25, 25, lengths.data()};
    const std::atomic<bool> never{false};
    Checkpoint checkpoint(never, false);
    SupportInverse inverse;
    for (const std::vector<Index>& support :
         {std::vector<Index>{1, 4, 9}, {1, 2, 3, 4, 9, 20}, {2, 3, 20}, {0, 2, 3, 7, 20, 24}}) {
        CHECK(inverse.follow(gram, 0.5, support, checkpoint));
        CHECK(inverse.distance(support) == 0);
        const std::vector<Index>& members = inverse.members();
        const auto k = members.size();
        std::vector<double> unit(k, 0.0), column;
        unit[0] = 1.0;
        inverse.multiply(unit, column);
        for (std::size_t i = 0; i < k; ++i) {
            double product = 0.5 * column[i];
            for (std::size_t j = 0; j < k; ++j)
                product += entries[members[i] * 25 + members[j]] * column[j];
            CHECK_CLOSE(product, i == 0 ? 1.0 : 0.0, 1e-11);
        }
    }
}

TEST(a_gap_is_never_negative_and_zero_at_the_optimum) {
    // one column, ‖x‖² = 4, xᵀy = 8, yᵀy = 20, l1 = 2: w = 1.5, c = 8 − 4·1.5 = 2 = l1
    const double w = 1.5, c = 2.0, rr = 20.0 - 2 * 8 * 1.5 + 4 * 1.5 * 1.5;
    const Proof best = prove(&w, &c, 1, rr, {2.0, 0.0}, false);
    CHECK_CLOSE(best.gap, 0.0, 1e-14);
    CHECK_CLOSE(best.primal, 0.5 * rr + 3.0, 1e-14);
    const double far = -1.0, c_far = 12.0, rr_far = 20.0 + 16.0 + 4.0;
    CHECK(prove(&far, &c_far, 1, rr_far, {2.0, 0.0}, false).gap >=
          0.5 * rr_far + 2.0 - best.primal - 1e-12);
}

// Where errors are asked for, supports beyond 256 columns descend on the residual.
TEST(descent_by_blocks_reaches_the_same_objective) {
    const Data d = make(420, 460);
    std::vector<double> weights(2 * d.n), y(2 * d.n);
    for (Index i = 0; i < d.n; ++i) {
        weights[i] = i % 7 == 0 ? 0.0 : 1.0;
        weights[d.n + i] = i < 40 ? 0.0 : 1.0 + 0.1 * static_cast<double>(i % 3);
        y[i] = y[d.n + i] = d.y[i];
    }
    std::vector<ElasticNet> penalties;
    for (int problem = 0; problem < 2; ++problem)
        for (double l1 = 2.0; l1 > 0.01; l1 *= 0.6) penalties.push_back({l1, 0.2 * l1});
    const auto steps = static_cast<Index>(penalties.size()) / 2;
    const DenseColumns<double> x({d.x.data(), d.n, d.p, d.p, 1});
    const RowProblems problems{y.data(), weights.data(), nullptr, 2, true};
    Rules rules;
    rules.polish = false, rules.tol = 1e-8;
    const Paths exact = row_paths(x, problems, penalties.data(), steps, rules);
    rules.change = 1e-13, rules.floor = 2.0;
    const Paths rough = row_paths(x, problems, penalties.data(), steps, rules);
    Index support = 0;
    for (Index a = 0; a < 2 * steps; ++a) CHECK(rough.primal[a] <= exact.primal[a] * (1.0 + 1e-4));
    for (Index j = 0; j < d.p; ++j) support += rough.coef[(steps - 1) * d.p + j] != 0.0;
    CHECK(support > 256);
}

}  // namespace stylobate::tests
