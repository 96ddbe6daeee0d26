// Shortest paths against Floyd and Warshall's method: edges of length 0, long edges, parts.
#include "embed/geodesics.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "stylobate/errors.hpp"

namespace stylobate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Example {
    Index n;
    std::vector<std::int64_t> offsets{0}, columns;
    std::vector<double> lengths, paths;

    // `longest`: of one edge in twenty; `half`: only rows of one half of the numbers are joined.
    Example(Index vertices, unsigned seed, double chance, double longest, bool halves)
        : n(vertices), paths(static_cast<std::size_t>(vertices * vertices), infinity) {
        std::mt19937_64 engine(seed);
        std::uniform_real_distribution<double> uniform(0.0, 1.0);
        for (Index i = 0; i < n; ++i) paths[i * n + i] = 0.0;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < i; ++j) {
                if (uniform(engine) > chance || (halves && (i < n / 2) != (j < n / 2))) continue;
                const double draw = uniform(engine);
                const double length = draw < 0.1    ? 0.0
                                      : draw < 0.15 ? longest
                                                    : uniform(engine) * uniform(engine);
                paths[i * n + j] = paths[j * n + i] = length;
            }
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
                if (i == j || paths[i * n + j] == infinity) continue;
                columns.push_back(j), lengths.push_back(paths[i * n + j]);
            }
            offsets.push_back(static_cast<std::int64_t>(columns.size()));
        }
        for (Index k = 0; k < n; ++k)
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j)
                    paths[i * n + j] =
                        std::min(paths[i * n + j], paths[i * n + k] + paths[k * n + j]);
    }

    embed::Edges edges() const { return {n, offsets.data(), columns.data(), lengths.data()}; }

    void check() const {
        std::vector<std::int64_t> sources;
        for (Index i = n; i-- > 0;) sources.push_back(i);
        std::vector<double> found(static_cast<std::size_t>(n * n));
        embed::geodesics(edges(), sources.data(), n, found.data());
        check(sources, found);
        for (Index s = 0; s < n; ++s)  // few sources are searched from, many swept together
            embed::geodesics(edges(), sources.data() + s, 1, found.data() + s * n);
        check(sources, found);
    }

    void check(const std::vector<std::int64_t>& sources, const std::vector<double>& found) const {
        for (Index s = 0; s < n; ++s)
            for (Index v = 0; v < n; ++v) {
                const double wanted = paths[sources[s] * n + v];
                if (wanted == infinity)
                    CHECK(found[s * n + v] == infinity);
                else
                    CHECK_CLOSE(found[s * n + v], wanted, 1e-13 * (1.0 + wanted));
            }
    }
};

}  // namespace

TEST(shortest_paths) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        Example(61, seed, 0.06, 1.0, false).check();
        Example(60, seed, 0.5, 1e9, false).check();
        Example(75, seed, 0.05, 30.0, true).check();
    }
    Example(1, 0, 0.0, 1.0, false).check();
    Example(9, 0, 0.0, 1.0, false).check();
}

TEST(shortest_paths_refuse_edges_to_nowhere) {
    Example example(20, 1, 0.3, 1.0, false);
    std::vector<double> out(20);
    const std::int64_t first = 0, beyond = 20;
    CHECK_THROWS(InvalidArgument, embed::geodesics(example.edges(), &beyond, 1, out.data()));
    example.columns[3] = 20;
    CHECK_THROWS(InvalidArgument, embed::geodesics(example.edges(), &first, 1, out.data()));
    example.columns[3] = 1;
    example.lengths[3] = -1.0;
    CHECK_THROWS(InvalidArgument, embed::geodesics(example.edges(), &first, 1, out.data()));
}

}  // namespace stylobate
