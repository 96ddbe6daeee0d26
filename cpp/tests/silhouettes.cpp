// Silhouettes and extents of many clusterings against loops over all pairs, on odd sizes.
#include "cluster/silhouettes.hpp"

#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tile/pairs.hpp"

namespace stylobate {
namespace {

using namespace tests;
using cluster::Clusterings;
using Labels = std::vector<std::int64_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> points(Index n, Index p) {
    return random_weights(n * p, 7);
}

double distance(const std::vector<double>& x, Index p, Index i, Index j) {
    long double sum = 0;
    for (Index l = 0; l < p; ++l) {
        const long double t = static_cast<long double>(x[i * p + l]) - x[j * p + l];
        sum += t * t;
    }
    return static_cast<double>(std::sqrt(sum));
}

// NaN for a row that is left out.
double silhouette_by_hand(const std::vector<double>& x, Index n, Index p, const Labels& labels,
                          std::int64_t k, Index i) {
    if (labels[i] < 0) return std::numeric_limits<double>::quiet_NaN();
    std::vector<long double> sums(k, 0);
    std::vector<long double> sizes(k, 0);
    for (Index j = 0; j < n; ++j) {
        if (labels[j] < 0) continue;
        sums[labels[j]] += distance(x, p, i, j);
        sizes[labels[j]] += 1;
    }
    if (sizes[labels[i]] < 2) return 0.0;
    const long double a = sums[labels[i]] / (sizes[labels[i]] - 1);
    long double b = infinity;
    for (std::int64_t c = 0; c < k; ++c)
        if (c != labels[i] && sizes[c] > 0) b = std::min(b, sums[c] / sizes[c]);
    return static_cast<double>((b - a) / std::max(a, b));
}

struct Case {
    std::vector<Labels> labels;
    std::vector<std::int64_t> clusters;
    Clusterings all;
};

// Two clusterings with common parts (their pairs of labels), and one of its own with rows left out.
Case make_case(Index n) {
    Case made{{Labels(n), Labels(n), Labels(n)}, {2, 3, 5}, Clusterings(n)};
    Labels part(n), own(n);
    for (Index i = 0; i < n; ++i) {
        made.labels[0][i] = i % 2, made.labels[1][i] = (i / 2) % 3;
        made.labels[2][i] = i % 7 == 6 ? -1 : i % 5;
        part[i] = made.labels[0][i] * 3 + made.labels[1][i];
        own[i] = made.labels[2][i] + 1;
    }
    const Labels first = {0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2}, second = {-1, 0, 1, 2, 3, 4};
    made.all.add(part.data(), 6, first.data(), 2);
    made.all.add(own.data(), 6, second.data(), 1);
    return made;
}

tile::Pairs pairs_of(const std::vector<double>& x, Index n, Index p) {
    const MatrixView<double> view{x.data(), n, p, p, 1};
    return tile::Pairs::dense<double>(view, view, {});
}

std::vector<double> found(const std::vector<double>& x, Index n, Index p, const Clusterings& all) {
    std::vector<double> out(all.count() * n);
    const auto strips = pairs_of(x, n, p).strips();
    cluster::silhouettes({*strips}, all, {tile::Map::root}, false, out.data());
    return out;
}

void check_silhouettes(const std::vector<double>& got, const std::vector<double>& x, Index n,
                       Index p, const Case& made) {
    for (std::size_t l = 0; l < made.labels.size(); ++l)
        for (Index i = 0; i < n; ++i) {
            const double want = silhouette_by_hand(x, n, p, made.labels[l], made.clusters[l], i);
            const double value = got[static_cast<Index>(l) * n + i];
            if (std::isnan(want))
                CHECK(std::isnan(value));
            else
                CHECK_CLOSE(value, want, 1e-12);
        }
}

}  // namespace

TEST(silhouettes_of_many_clusterings) {
    for (const Index n : {13, 97, 260, 700})
        for (const Index p : {1, 3, 17}) {
            const std::vector<double> x = points(n, p);
            const Case made = make_case(n);
            check_silhouettes(found(x, n, p, made.all), x, n, p, made);
        }
}

TEST(silhouettes_have_the_same_bits_with_any_threads) {
    const Index n = 700, p = 5;
    const std::vector<double> x = points(n, p);
    Clusterings all(n);
    Labels part(n), labels = {0, 1, 2};
    for (Index i = 0; i < n; ++i) part[i] = (i * i) % 3;
    all.add(part.data(), 3, labels.data(), 1);
    const int before = set_threads(1);
    const std::vector<double> one = found(x, n, p, all);
    set_threads(7);
    CHECK(found(x, n, p, all) == one);
    set_threads(before);
}

TEST(silhouettes_of_given_distances) {
    const Index n = 61, p = 2, first = 20;
    const std::vector<double> x = points(n, p);
    const Case made = make_case(n);
    std::vector<double> distances((n - first) * n), out(made.all.count() * n, 2.0);
    for (Index i = first; i < n; ++i)
        for (Index j = 0; j < n; ++j) distances[(i - first) * n + j] = distance(x, p, i, j);
    const auto strips =
        cluster::given_strips(MatrixView<double>{distances.data(), n - first, n, n, 1});
    cluster::silhouettes({*strips, first}, made.all, {}, false, out.data());
    const std::vector<double> want = found(x, n, p, made.all);
    for (Index l = 0; l < made.all.count(); ++l)
        for (Index i = 0; i < n; ++i) {
            const double value = out[l * n + i];
            if (i < first)
                CHECK(value == 2.0);
            else if (!std::isnan(want[l * n + i]))
                CHECK_CLOSE(value, want[l * n + i], 1e-12);
        }
}

TEST(extents_of_clusters) {
    const Index n = 130, p = 3;
    const std::vector<double> x = points(n, p);
    const Case made = make_case(n);
    std::vector<double> wide(3, -infinity), narrow(3, infinity);
    const auto strips = pairs_of(x, n, p).strips();
    cluster::extents({*strips}, made.all, wide.data(), narrow.data());
    for (Index l = 0; l < 3; ++l) {
        double most = 0.0, least = infinity;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) {
                if (made.labels[l][i] < 0 || made.labels[l][j] < 0) continue;
                const double d = distance(x, p, i, j);
                if (made.labels[l][i] == made.labels[l][j])
                    most = std::max(most, d * d);
                else
                    least = std::min(least, d * d);
            }
        CHECK_CLOSE(wide[l], most, 1e-12);
        CHECK_CLOSE(narrow[l], least, 1e-12);
    }
}

TEST(clusterings_that_cannot_be_are_refused) {
    Clusterings all(3);
    const Labels part = {0, 1, 0}, beyond = {0, 2, 0}, labels = {0, 1}, wrong = {0, 9};
    CHECK_THROWS(InvalidArgument, all.add(beyond.data(), 2, labels.data(), 1));
    CHECK_THROWS(InvalidArgument, all.add(part.data(), 2, wrong.data(), 1));
    const std::vector<double> x = points(4, 1);
    const auto strips = pairs_of(x, 4, 1).strips();
    double out[4];
    CHECK_THROWS(InvalidArgument, cluster::silhouettes({*strips}, all, {}, false, out));
}

}  // namespace stylobate
