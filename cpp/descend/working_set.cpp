#include "descend/working_set.hpp"

#include <cmath>
#include <cstring>

#include "stylobate/simd.hpp"

namespace stylobate::descend {
namespace {

constexpr Index row_group = 256;        // rows gathered at a time
constexpr Index product_group = 64;     // members whose products one chunk computes
constexpr Index product_rows = 192;     // rows at a time: a panel of them stays in the first cache
constexpr Index panel = 16;             // new members met at once
constexpr double constant = 0x1.0p-46;  // spread, in units of the mean, below which it is rounding

}  // namespace

WorkingSet::WorkingSet(const Columns& x, Regression& regression)
    : x_(x),
      regression_(regression),
      place_(static_cast<std::size_t>(x.cols()), -1),
      stride_(padded_stride(x.rows())) {}

void WorkingSet::clear() {
    for (const Index j : members_) place_[j] = -1;
    members_.clear();
    lengths_.clear();
}

void WorkingSet::reserve(Index size) {
    if (size <= capacity_) return;
    const Index now = this->size(), room = (std::max(size + size / 2, Index{64}) + 7) / 8 * 8;
    Buffer gram = Buffer::unset(area(room, room));
    for (Index i = 0; i < now; ++i)
        std::memcpy(gram.data() + i * room, gram_.data() + i * capacity_, now * sizeof(double));
    gram_ = std::move(gram);
    if (!x_.sparse()) {
        Buffer values = Buffer::unset(area(room, stride_));
        if (now > 0) std::memcpy(values.data(), values_.data(), now * stride_ * sizeof(double));
        values_ = std::move(values);
    }
    capacity_ = room;
}

void WorkingSet::add(const std::vector<Index>& columns) {
    const Index first = size();
    reserve(first + static_cast<Index>(columns.size()) + panel);  // whole panels are written
    for (const Index j : columns) {
        place_[j] = size();
        members_.push_back(j);
    }
    lengths_.resize(members_.size());
    if (x_.sparse()) {
        sparse_products(first);
        return;
    }
    pack(first);
    products(first);
}

// √ω(x − x̄) of the new members; centred once more, so that a large mean leaves no trace.
void WorkingSet::pack(Index first) {
    const Index n = x_.rows(), count = size() - first;
    if (count == 0) return;
    parallel_for((n + row_group - 1) / row_group, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index at = g * row_group;
        x_.gather(&members_[first], count, at, std::min(row_group, n - at),
                  values_.data() + first * stride_ + at, stride_);
    });
    constexpr Index group = 16;
    parallel_for((count + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        for (Index c = first + g * group; c < first + std::min(count, (g + 1) * group); ++c) {
            double* column = values_.data() + c * stride_;
            double& mean = regression_.x_mean[members_[c]];
            double rest = 0.0;
            for (Index i = 0; i < n; ++i) {
                const double root = regression_.root_of(i);
                column[i] -= mean;
                rest += root * root * column[i];
            }
            rest = regression_.intercept ? rest / regression_.weight : 0.0;
            for (Index i = 0; i < n; ++i) column[i] = (column[i] - rest) * regression_.root_of(i);
            mean += rest;
        }
    });
}

// Of the new members with all, each panel of new ones transposed and met by groups of the others.
void WorkingSet::products(Index first) {
    const Index n = x_.rows(), k = size(), count = k - first;
    const Index panels = (count + panel - 1) / panel;
    Buffer turned = Buffer::unset(area(panels * panel, n));
    parallel_for(panels, [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        turn(first + t * panel, turned.data() + t * panel * n);
    });
    parallel_for((k + product_group - 1) / product_group, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index j0 = g * product_group, rows = std::min(k - j0, product_group);
        const Index from = j0 <= first ? 0 : (j0 - first) / panel;  // the rest is mirrored
        for (Index j = j0; j < j0 + rows; ++j) {
            double* row = gram_.data() + j * capacity_ + first;
            std::fill(row + from * panel, row + panels * panel, 0.0);
        }
        for (Index at = 0; at < n; at += product_rows)
            for (Index t = from; t < panels; ++t)
                kernels().multiply(values_.data() + j0 * stride_ + at, rows, stride_, 1,
                                   std::min(product_rows, n - at),
                                   turned.data() + (t * n + at) * panel, panel, panel,
                                   gram_.data() + j0 * capacity_ + first + t * panel, capacity_);
    });
    mirror(first);
    for (Index i = first; i < k; ++i) {
        const double* row = gram_.data() + i * capacity_;
        const double mean = regression_.x_mean[members_[i]];
        const double floor = mean * constant * mean * constant * regression_.weight;
        lengths_[i] = row[i] > floor ? row[i] : 0.0;
    }
}

// Σω(xᵢ − x̄ᵢ)(xⱼ − x̄ⱼ) = Σω xᵢxⱼ − Ω x̄ᵢx̄ⱼ: a column is spread out and met with all others.
void WorkingSet::sparse_products(Index first) {
    const Index n = x_.rows(), k = size(), count = k - first;
    parallel_for(count, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index i = first + g;
        std::vector<double> spread(static_cast<std::size_t>(n), 0.0);
        x_.add(members_[i], 1.0, spread.data());
        for (Index r = 0; r < n; ++r) {
            const double root = regression_.root_of(r);
            spread[r] *= root * root;
        }
        double* column = gram_.data() + i;
        const double mean = regression_.x_mean[members_[i]] * regression_.weight;
        for (Index j = 0; j <= i; ++j) {
            double raw = 0.0;
            x_.correlate(members_[j], members_[j] + 1, spread.data(), 1, n, &raw, 1);
            const double centred = raw - mean * regression_.x_mean[members_[j]];
            column[j * capacity_] = centred;
            if (j == i) lengths_[i] = centred > 1e-14 * raw ? centred : 0.0;
        }
    });
    mirror(first);
}

// Entries left of the diagonal from those right of it, for rows from `first` on.
void WorkingSet::mirror(Index first) {
    constexpr Index tile = 16;
    const Index k = size(), count = k - first;
    double* gram = gram_.data();
    parallel_for((count + product_group - 1) / product_group, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index begin = first + g * product_group, end = std::min(k, begin + product_group);
        for (Index i0 = begin; i0 < end; i0 += tile)
            for (Index j0 = 0; j0 < end; j0 += tile)
                for (Index i = i0; i < std::min(end, i0 + tile); ++i)
                    for (Index j = j0; j < std::min(i, j0 + tile); ++j)
                        gram[i * capacity_ + j] = gram[j * capacity_ + i];
    });
}

// Members `from` and on, one panel of them: rows side by side, zeros where there is none.
void WorkingSet::turn(Index from, double* out) const {
    const Index n = x_.rows(), count = std::min(panel, size() - from);
    std::fill(out, out + n * panel, 0.0);
    for (Index c = 0; c < count; ++c) {
        const double* column = values_.data() + (from + c) * stride_;
        for (Index i = 0; i < n; ++i) out[i * panel + c] = column[i];
    }
}

void WorkingSet::residual(const std::vector<double>& w, std::vector<double>& r) const {
    const Index n = x_.rows();
    if (!x_.sparse()) {
        r = regression_.y;
        for (Index j = 0; j < size(); ++j)
            if (w[j] != 0.0) dense().axpy(-w[j], values_.data() + j * stride_, r.data(), n);
        return;
    }
    std::vector<double> fitted(static_cast<std::size_t>(n), 0.0);
    double shift = 0.0;
    for (Index j = 0; j < size(); ++j)
        if (w[j] != 0.0) {
            x_.add(members_[j], w[j], fitted.data());
            shift += w[j] * regression_.x_mean[members_[j]];
        }
    r = regression_.y;
    for (Index i = 0; i < n; ++i) r[i] -= regression_.root_of(i) * (fitted[i] - shift);
}

void WorkingSet::correlations(const std::vector<double>& r, std::vector<double>& c) const {
    const Index n = x_.rows();
    c.assign(members_.size(), 0.0);
    if (!x_.sparse()) {
        dense().products(values_.data(), size(), stride_, r.data(), 1, n, n, c.data(), 1);
        return;
    }
    std::vector<double> weighted(r);
    double total = 0.0;
    for (Index i = 0; i < n; ++i) total += weighted[i] *= regression_.root_of(i);
    for (Index j = 0; j < size(); ++j) {
        x_.correlate(members_[j], members_[j] + 1, weighted.data(), 1, n, &c[j], 1);
        c[j] -= total * regression_.x_mean[members_[j]];
    }
}

}  // namespace stylobate::descend
