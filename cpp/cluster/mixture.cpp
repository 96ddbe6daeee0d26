#include "cluster/mixture.hpp"

#include <algorithm>
#include <cmath>

#include "scan/lane_blocks.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {
namespace {

using namespace scan;

constexpr Index groups = 8;
constexpr Index block_rows = groups * lane_rows;
constexpr Index unit_rows = 16 * block_rows;  // rows one chunk of the loop absorbs, at least
constexpr Index max_units = 256;              // all units' sums are kept until added in order …
constexpr Index max_state_bytes = 1 << 26;    // … within this much memory
// Of a membership below this, not even a million times the weight of a component's other rows
// changes a digit, for its distance is at most a few hundred standard deviations.
constexpr double negligible = 1e-30;

// Whole second moments: members of a component are packed as [d, 1]·√r, whose Gram is all sums.
struct Products {
    Index components, cols, ld;
    Buffer gram, packed, roots;
    std::vector<Index> which;

    Products(Index k, Index p)
        : components(k), cols(p), ld(padded_stride(p + 1)), gram(area(k, area(p + 1, ld))) {}
    static Index size(Index k, Index p) { return area(k, area(p + 1, padded_stride(p + 1))); }

    void open() {
        packed = Buffer(area(block_rows, ld));
        roots = Buffer(block_rows);
        which.resize(block_rows);
    }
    void close() {
        packed = Buffer();
        roots = Buffer();
        std::vector<Index>().swap(which);
    }
    void absorb(RowsInPlace rows, const double*, Index count, const double* members,
                const double* shift, const double*) {
        for (Index c = 0; c < components; ++c, members += block_rows) {
            Index found = 0;
            for (Index k = 0; k < count; ++k) {
                which[found] = k;
                found += !(members[k] <= negligible);  // NaN goes on, so that it is noticed
            }
            if (found == 0) continue;
            for (Index i = 0; i < found; ++i) roots[i] = std::sqrt(members[which[i]]);
            kernels().pack_members(rows.data, rows.stride, cols, which.data(), found,
                                   shift + c * cols, roots.data(), packed.data(), ld);
            kernels().gram(packed.data(), found, ld, 0, cols + 1, gram.data() + c * (cols + 1) * ld,
                           ld, nullptr, 0);
        }
    }
    void add(const Products& other) {
        for (Index i = 0; i < gram.size(); ++i) gram[i] += other.gram[i];
    }
    void store(MixtureSums& out) const {
        const Index p = cols;
        out.second.resize(area(components, p * p));
        for (Index c = 0; c < components; ++c) {
            const double* own = gram.data() + c * (p + 1) * ld;
            double* second = out.second.data() + c * p * p;
            for (Index j = 0; j < p; ++j)
                for (Index i = 0; i <= j; ++i)
                    second[i * p + j] = second[j * p + i] = own[j * ld + i];
            std::copy(own + p * ld, own + p * ld + p, out.first.data() + c * p);
            out.weight[c] = own[p * ld + p];
        }
    }
};

// Squares of single columns, rows side by side in lanes.
struct Squares {
    Index components, cols;
    Buffer weight, first, second, moved;

    Squares(Index k, Index p)
        : components(k), cols(p), weight(k), first(area(k, p)), second(area(k, p)), moved(p) {}
    static Index size(Index k, Index p) { return 2 * area(k, p + 1); }

    void open() {}
    void close() {}
    void absorb(RowsInPlace, const double* lanes, Index count, const double* members,
                const double* shift, const double* center) {
        for (Index c = 0; c < components; ++c, members += block_rows) {
            double total = 0.0;
            for (Index k = 0; k < count; ++k) total += members[k];
            weight[c] += total;
            for (Index j = 0; j < cols; ++j) moved[j] = shift[c * cols + j] - center[j];
            kernels().lane_moments(lanes, groups, cols, members, moved.data(),
                                   first.data() + c * cols, second.data() + c * cols);
        }
    }
    void add(const Squares& other) {
        for (Index c = 0; c < components; ++c) weight[c] += other.weight[c];
        for (Index j = 0; j < components * cols; ++j) {
            first[j] += other.first[j];
            second[j] += other.second[j];
        }
    }
    void store(MixtureSums& out) const {
        out.weight.assign(weight.data(), weight.data() + components);
        out.first.assign(first.data(), first.data() + components * cols);
        out.second.assign(second.data(), second.data() + components * cols);
    }
};

// Memberships by a model's scores, with the likelihood and the entropy that belong to them.
template <class Model>
struct Scored {
    const Model& model;
    const Ready<Model>& ready;
    Buffer best = Buffer(block_rows), total = Buffer(block_rows), inner = Buffer(block_rows);

    template <class Block>
    void fill(Block& block, Index, Index count, const double* w, double* members,
              MixtureSums& sums) {
        block.score(model, ready, members);
        kernels().lane_memberships(members, block_rows, model.classes, best.data(), total.data(),
                                   inner.data());
        if (w == nullptr) {
            // Totals are between 1 and the number of components: a few multiply without overflow.
            for (Index first = 0; first < count; first += lane_rows) {
                double product = 1.0, highest = 0.0, within = 0.0;
                for (Index k = first; k < std::min(count, first + lane_rows); ++k) {
                    product *= total[k];
                    highest += best[k];
                    within += inner[k];
                }
                const double logarithm = std::log(product);
                sums.log_likelihood += highest + logarithm;
                sums.entropy += logarithm - within;
            }
            return;
        }
        for (Index k = 0; k < count; ++k) {
            if (w[k] == 0.0) continue;  // no row
            const double logarithm = std::log(total[k]);
            sums.log_likelihood += w[k] * (best[k] + logarithm);
            sums.entropy += w[k] * (logarithm - inner[k]);
        }
    }
};

// Memberships as they are given.
struct Given {
    const double* memberships;
    Index components;

    template <class Block>
    void fill(Block&, Index first, Index count, const double*, double* members, MixtureSums&) {
        for (Index k = 0; k < count; ++k)
            for (Index c = 0; c < components; ++c)
                members[c * block_rows + k] = memberships[(first + k) * components + c];
    }
};

void weigh(double* members, Index components, Index count, const double* w) {
    for (Index c = 0; c < components; ++c, members += block_rows) {
        for (Index k = 0; k < count && w != nullptr; ++k)
            members[k] = w[k] == 0.0 ? 0.0 : members[k] * w[k];
        std::fill(members + count, members + block_rows, 0.0);
    }
}

template <class Sums>
struct Unit {
    Sums sums;
    MixtureSums totals;
};

template <class Sums, class Model, class T, class Expect>
MixtureSums collected(const MixtureRows<T>& rows, const double* center, Index components,
                      const Expect& expect) {
    const Index n = rows.x.rows(), p = rows.x.cols();
    const Index bytes = Sums::size(components, p) * static_cast<Index>(sizeof(double));
    const Index most = std::clamp(max_state_bytes / std::max<Index>(bytes, 1), Index{4}, max_units);
    Index size = std::max(unit_rows, (n + most - 1) / most);
    size = (size + block_rows - 1) / block_rows * block_rows;
    const Index count = std::max<Index>(1, (n + size - 1) / size);
    std::vector<Unit<Sums>> units;
    units.reserve(count);
    for (Index u = 0; u < count; ++u) units.push_back({Sums(components, p), {}});
    parallel_for(count, [&](Index u, Checkpoint& checkpoint) {
        Unit<Sums>& unit = units[u];
        LaneBlock<Model, T> block(groups, p);
        Buffer members(area(components, block_rows));
        auto own = expect();
        unit.sums.open();
        const Index end = std::min(n, (u + 1) * size);
        for (Index first = u * size; first < end; first += block_rows) {
            checkpoint();
            const Index here = std::min(block_rows, end - first);
            const double* w = rows.weights == nullptr ? nullptr : rows.weights + first;
            const RowsInPlace there = block.read(rows.x, first, here, center);
            own.fill(block, first, here, w, members.data(), unit.totals);
            weigh(members.data(), components, here, w);
            unit.sums.absorb(there, block.lanes(), here, members.data(), rows.shift, center);
        }
        unit.sums.close();
    });
    MixtureSums result;
    result.weight.resize(components);
    result.first.resize(area(components, p));
    for (Index u = 0; u < count; ++u) {
        if (u > 0) units[0].sums.add(units[u].sums);
        result.log_likelihood += units[u].totals.log_likelihood;
        result.entropy += units[u].totals.entropy;
    }
    units[0].sums.store(result);
    return result;
}

}  // namespace

template <class Model, class T>
MixtureSums mixture_sums(const MixtureRows<T>& rows, const double* center, const Model& model) {
    using Sums = std::conditional_t<std::is_same_v<Model, TriangularScores>, Products, Squares>;
    const Ready<Model> ready(model);
    return collected<Sums, Model>(rows, center, model.classes,
                                  [&] { return Scored<Model>{model, ready}; });
}

template <class T>
MixtureSums membership_sums(const MixtureRows<T>& rows, const double* memberships, Index components,
                            bool diagonal) {
    const auto given = [&] { return Given{memberships, components}; };
    const Buffer zero(rows.x.cols());
    if (diagonal) return collected<Squares, DiagonalScores>(rows, zero.data(), components, given);
    return collected<Products, DiagonalScores>(rows, zero.data(), components, given);
}

#define STYLOBATE_INSTANTIATE(T)                                            \
    template MixtureSums mixture_sums(const MixtureRows<T>&, const double*, \
                                      const TriangularScores&);             \
    template MixtureSums mixture_sums(const MixtureRows<T>&, const double*, \
                                      const DiagonalScores&);               \
    template MixtureSums membership_sums(const MixtureRows<T>&, const double*, Index, bool);
STYLOBATE_INSTANTIATE(double)
STYLOBATE_INSTANTIATE(float)
#undef STYLOBATE_INSTANTIATE

}  // namespace stylobate::cluster
