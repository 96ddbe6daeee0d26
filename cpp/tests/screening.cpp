// Gap-safe spheres: what they drop is zero in an answer found without them.
#include "descend/screening.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "descend/elastic_net_path.hpp"
#include "stylobate/random.hpp"

namespace stylobate::tests {
namespace {

using namespace stylobate::descend;

// Centred columns with duplicates, constants and scales from 1e-6 to 1e6, as `kind` says.
struct Problem {
    Index n, p;
    std::vector<double> x, y;  // x by columns
    ElasticNet penalty;
    bool positive;
};

Problem draw(Index trial) {
    const Philox random(11, static_cast<Philox::Word>(trial));
    Index used = 0;
    const auto next = [&] { return random.uniform(used++); };
    Problem out{3 + static_cast<Index>(10 * next()),
                2 + static_cast<Index>(24 * next()),
                {},
                {},
                {},
                next() < 0.3};
    out.x.resize(out.n * out.p);
    out.y.resize(out.n);
    const bool scaled = next() < 0.4;
    for (Index j = 0; j < out.p; ++j) {
        double* column = out.x.data() + j * out.n;
        const double kind = next(), scale = scaled ? std::pow(10.0, 12.0 * next() - 6.0) : 1.0;
        double mean = 0.0;
        for (Index i = 0; i < out.n; ++i) {
            column[i] = kind < 0.1 ? 1.0 : next() - 0.5;
            if (kind > 0.8 && j > 0)
                column[i] = column[i - out.n] + (kind > 0.9 ? 0.0 : 1e-6 * next());
            mean += column[i] / static_cast<double>(out.n);
        }
        for (Index i = 0; i < out.n; ++i) column[i] = scale * (column[i] - mean);
    }
    double largest = 0.0;
    for (Index i = 0; i < out.n; ++i) out.y[i] = next() - 0.5 + (out.p > 2 ? out.x[2 * i] : 0.0);
    for (Index j = 0; j < out.p; ++j) {
        double c = 0.0;
        for (Index i = 0; i < out.n; ++i) c += out.x[j * out.n + i] * out.y[i];
        largest = std::max(largest, out.positive ? c : std::fabs(c));
    }
    out.penalty.l1 = largest * std::pow(10.0, -3.0 * next());
    out.penalty.l2 = next() < 0.5 ? 0.0 : out.penalty.l1 * next();
    return out;
}

struct Answer {
    std::vector<double> w;
    double primal;
};

// By the Gram, which is never screened.
Answer solve(const Problem& d, double tol) {
    std::vector<double> gram(d.p * d.p), xy(d.p);
    double yy = 0.0;
    for (Index i = 0; i < d.n; ++i) yy += d.y[i] * d.y[i];
    for (Index a = 0; a < d.p; ++a)
        for (Index i = 0; i < d.n; ++i) {
            xy[a] += d.x[a * d.n + i] * d.y[i];
            for (Index b = 0; b < d.p; ++b)
                gram[a * d.p + b] += d.x[a * d.n + i] * d.x[b * d.n + i];
        }
    const Index which = 0;
    const GramProblems problems{gram.data(), &which, xy.data(), &yy, nullptr, 1, d.p};
    Rules rules;
    rules.tol = tol, rules.positive = d.positive, rules.max_epochs = 20000;
    const Paths paths = gram_paths(problems, &d.penalty, 1, rules);
    return {paths.coef, paths.primal[0]};
}

struct Known {
    std::vector<double> c, squares;
    double residual_squares;
};

Known look(const Problem& d, const std::vector<double>& w) {
    Known out{std::vector<double>(d.p), std::vector<double>(d.p), 0.0};
    std::vector<double> r = d.y;
    for (Index j = 0; j < d.p; ++j)
        for (Index i = 0; i < d.n; ++i) r[i] -= w[j] * d.x[j * d.n + i];
    for (Index i = 0; i < d.n; ++i) out.residual_squares += r[i] * r[i];
    for (Index j = 0; j < d.p; ++j)
        for (Index i = 0; i < d.n; ++i) {
            out.c[j] += d.x[j * d.n + i] * r[i];
            out.squares[j] += d.x[j * d.n + i] * d.x[j * d.n + i];
        }
    return out;
}

}  // namespace

TEST(columns_that_a_sphere_drops_are_zero) {
    Index dropped = 0, kept = 0;
    for (Index trial = 0; trial < 400; ++trial) {
        const Problem d = draw(trial);
        if (!(d.penalty.l1 > 0.0)) continue;
        const Answer best = solve(d, 1e-15);
        const Philox random(12, static_cast<Philox::Word>(trial));
        for (const double away : {1.0, 1e-1, 1e-2, 1e-4, 1e-7, 0.0}) {
            std::vector<double> w = best.w;
            for (Index j = 0; j < d.p; ++j) w[j] *= 1.0 + away * (random.uniform(j) - 0.5);
            const Known now = look(d, w);
            const Proof proof =
                prove(w.data(), now.c.data(), d.p, now.residual_squares, d.penalty, d.positive);
            CHECK(proof.primal - best.primal <= proof.gap + 1e-12 * proof.primal);
            Screen screen(now.squares.data(), std::vector<double>(d.p, 0.0), 0.0);
            screen.apply(proof, d.penalty, d.positive, now.residual_squares, w, now.c);
            for (Index j = 0; j < d.p; ++j) {
                if (screen.dropped(j)) CHECK(best.w[j] == 0.0);
                screen.dropped(j) ? ++dropped : ++kept;
            }
        }
    }
    CHECK(dropped > 1000 && kept > 1000);  // neither always nor never
}

TEST(a_screen_forgets_at_another_penalty) {
    const double squares[] = {1.0, 1.0};
    Screen screen(squares, {0.0, 0.0}, 0.0);
    const std::vector<double> w = {0.5, 0.0}, c = {1.0, 0.2};
    const ElasticNet penalty{1.0, 0.0};
    screen.apply(prove(w.data(), c.data(), 2, 1.0, penalty, false), penalty, false, 1.0, w, c);
    CHECK(screen.count() == 1 && !screen.dropped(0) && screen.dropped(1));
    screen.reset();
    CHECK(screen.count() == 0 && !screen.dropped(1));
}

TEST(a_screened_path_is_the_path) {
    const Index n = 40, p = 150;
    const Philox random(13, 1);
    std::vector<double> x(n * p), y(n);
    for (Index i = 0; i < n * p; ++i) x[i] = random.uniform(i) + (i % p == 3 ? 50.0 : 0.0);
    for (Index i = 0; i < n; ++i) y[i] = 3.0 * x[i * p] - x[i * p + 9] + random.uniform(n * p + i);
    std::vector<ElasticNet> penalties;
    for (double l1 = 4.0; l1 > 0.05; l1 *= 0.5) penalties.push_back({l1, 0.01 * l1});
    const auto count = static_cast<Index>(penalties.size());
    const DenseColumns<double> columns({x.data(), n, p, p, 1});
    const RowProblems problems{y.data(), nullptr, nullptr, 1, true};
    Rules rules;
    rules.tol = 1e-12;
    const Paths whole = row_paths(columns, problems, penalties.data(), count, rules);
    for (Index a = 0; a < count; ++a) {
        const Paths alone = row_paths(columns, problems, penalties.data() + a, 1, rules);
        Index zeros = 0;
        for (Index j = 0; j < p; ++j) {
            CHECK_CLOSE(whole.coef[a * p + j], alone.coef[j], 1e-6);
            zeros += whole.coef[a * p + j] == 0.0;
        }
        CHECK(whole.screened[a] <= static_cast<double>(zeros));
        CHECK(whole.screened[a] >= 0.5 * static_cast<double>(zeros));
        CHECK(whole.gap[a] <= 1e-11 * whole.primal[a]);
    }
}

}  // namespace stylobate::tests
