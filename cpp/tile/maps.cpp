#include <cmath>
#include <numbers>

#include "tile/strips.hpp"

namespace stylobate::tile {
namespace {

// Of 0–1 rows: both ones tt, one alone tf and ft, none ff, of n columns.
double of_counts(Map kind, double tt, double x, double y, double n) {
    const double tf = x - tt, ft = y - tt, differ = tf + ft, ff = n - tt - differ;
    const auto share = [](double part, double whole) { return whole > 0.0 ? part / whole : 0.0; };
    switch (kind) {
        case Map::jaccard:
            return share(differ, tt + differ);
        case Map::dice:
            return share(differ, 2.0 * tt + differ);
        case Map::rogers_tanimoto:
            return share(2.0 * differ, tt + ff + 2.0 * differ);
        case Map::russell_rao:
            return share(n - tt, n);
        case Map::sokal_sneath:
            return share(2.0 * differ, tt + 2.0 * differ);
        default:  // yule
            return tf * ft == 0.0 ? 0.0 : 2.0 * tf * ft / (tt * ff + tf * ft);
    }
}

class Mapped : public Strips {
 public:
    Mapped(std::unique_ptr<Strips> inner, const Mapping& mapping, std::vector<double> x_sums,
           std::vector<double> y_sums)
        : Strips(inner->queries(), inner->rows(), inner->depth()),
          inner_(std::move(inner)),
          mapping_(mapping),
          x_sums_(std::move(x_sums)),
          y_sums_(std::move(y_sums)) {}
    Index block_rows() const override { return inner_->block_rows(); }
    void open_block(Index row0, Index rows) override { inner_->open_block(row0, rows); }
    std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const override {
        return inner_->open_chunk(query0, queries);
    }
    void strip(Chunk& chunk, Index row0) const override {
        inner_->strip(chunk, row0);
        const Index width = panel_rows<double>(), count = std::min(width, rows() - row0);
        for (Index i = 0; i < chunk.queries; ++i)
            apply(mapping_, x_sums_.empty() ? 0.0 : x_sums_[chunk.query0 + i],
                  y_sums_.empty() ? nullptr : &y_sums_[row0], chunk.values.data() + i * width,
                  count);
    }

 private:
    std::unique_ptr<Strips> inner_;
    Mapping mapping_;
    std::vector<double> x_sums_, y_sums_;
};

}  // namespace

void apply(const Mapping& map, double query_sum, const double* sums, double* c, Index n) {
    if (kernels().tile_map(static_cast<int>(map.kind), map.a, map.b, map.p, c, n)) return;
    for (Index j = 0; j < n; ++j) {
        double& v = c[j];
        switch (map.kind) {
            case Map::power_root:
                v = std::pow(v, 1.0 / map.p);
                break;
            case Map::polynomial:
                v = std::pow(map.a * v + map.b, map.p);
                break;
            case Map::arc:
                v = 2.0 * std::asin(std::sqrt(std::min(v, 1.0)));
                break;
            case Map::cosine:
                v = map.a * v < 1.0 ? std::cos(0.5 * std::numbers::pi * std::sqrt(map.a * v))
                                    : (v == v ? 0.0 : v);
                break;
            default:
                v = of_counts(map.kind, v, query_sum, sums == nullptr ? 0.0 : sums[j], map.b);
        }
    }
}

std::unique_ptr<Strips> mapped_strips(std::unique_ptr<Strips> strips, const Mapping& mapping,
                                      std::vector<double> x_sums, std::vector<double> y_sums) {
    return std::make_unique<Mapped>(std::move(strips), mapping, std::move(x_sums),
                                    std::move(y_sums));
}

}  // namespace stylobate::tile
