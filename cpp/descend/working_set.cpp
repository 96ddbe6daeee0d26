#include "descend/working_set.hpp"

#include <cmath>
#include <cstring>

#include "scan/kernels.hpp"

namespace stylobate::descend {
namespace {

constexpr Index row_group = 256;        // rows gathered at a time
constexpr Index product_rows = 192;     // rows at a time: a panel of them stays in the first cache
constexpr Index panel = 16;             // new members met at once
constexpr double constant = 0x1.0p-46;  // spread, in units of the mean, below which it is rounding

}  // namespace

WorkingSet::WorkingSet(const Columns& x, Regression& regression)
    : x_(x), regression_(regression), place_(static_cast<std::size_t>(x.cols()), -1) {
    bool weighted = false;
    for (Index i = 0; i < x.rows(); ++i) {
        const double root = regression.root_of(i);
        if (root == 0.0) continue;
        if (kept_.empty() || kept_.back().second != i) kept_.emplace_back(i, i);
        kept_.back().second = i + 1;
        root_.push_back(root);
        weighted = weighted || root != 1.0;
    }
    rows_ = static_cast<Index>(root_.size());
    if (!weighted) root_.clear();
    stride_ = padded_stride(rows_);
}

void WorkingSet::reserve(Index size) {
    if (size <= capacity_) return;
    const Index now = this->size(), room = (std::max(size + size / 4, Index{64}) + 7) / 8 * 8;
    Buffer gram = Buffer::unset(area(room, room));
    for (Index i = 0; i < now; ++i)
        std::memcpy(gram.data() + i * room, gram_.data() + i * capacity_, now * sizeof(double));
    gram_ = std::move(gram);
    capacity_ = room;
}

void WorkingSet::add(const std::vector<Index>& columns) {
    const Index first = size();
    if (whole_) reserve(first + static_cast<Index>(columns.size()) + panel);  // whole panels
    for (const Index j : columns) {
        place_[j] = size();
        members_.push_back(j);
    }
    lengths_.resize(members_.size());
    if (x_.sparse()) {
        whole_ ? sparse_products(first) : sparse_lengths(first);
        return;
    }
    pack(first);
    if (whole_)
        products(first);
    else
        products_in_blocks(first);
}

void WorkingSet::forget_gram() {
    whole_ = false;
    gram_ = Buffer();
    capacity_ = 0;
    if (!x_.sparse()) products_in_blocks(0);
}

void WorkingSet::keep(const std::vector<Index>& positions) {
    const auto k = static_cast<Index>(positions.size());
    const Index room = (std::max(k, Index{64}) + 7) / 8 * 8;
    Buffer gram = Buffer::unset(area(room, room));
    for (const Index j : members_) place_[j] = -1;
    for (Index i = 0; i < k; ++i) {
        const Index from = positions[i];
        for (Index j = 0; j < k; ++j) gram[i * room + j] = gram_[from * capacity_ + positions[j]];
        if (!x_.sparse() && from != i)
            std::memcpy(values_[i / block].data() + i % block * stride_, values(from),
                        rows_ * sizeof(double));
        members_[i] = members_[from];
        lengths_[i] = lengths_[from];
        place_[members_[i]] = i;
    }
    members_.resize(k);
    lengths_.resize(k);
    if (!x_.sparse()) values_.resize((k + block - 1) / block);
    gram_ = std::move(gram);
    capacity_ = room;
}

std::vector<double> WorkingSet::packed(const std::vector<double>& r) const {
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(rows_));
    for (const auto& [begin, end] : kept_)
        out.insert(out.end(), r.begin() + begin, r.begin() + end);
    return out;
}

void WorkingSet::unpack(const std::vector<double>& packed, std::vector<double>& r) const {
    const double* from = packed.data();
    for (const auto& [begin, end] : kept_) {
        std::copy(from, from + (end - begin), r.begin() + begin);
        from += end - begin;
    }
}

// √ω(x − x̄) of the new members.
void WorkingSet::pack(Index first) {
    const Index k = size();
    if (first == k) return;
    for (auto have = static_cast<Index>(values_.size()); have * block < k; ++have)
        values_.push_back(Buffer::unset(area(block, stride_)));
    std::vector<std::pair<Index, Index>> stretches;  // of rows, gathered at a time
    std::vector<Index> places;
    Index place = 0;
    for (const auto& [begin, end] : kept_)
        for (Index at = begin; at < end; at += row_group) {
            stretches.emplace_back(at, std::min(row_group, end - at));
            places.push_back(place);
            place += stretches.back().second;
        }
    parallel_for(static_cast<Index>(stretches.size()), [&](Index s, Checkpoint& checkpoint) {
        checkpoint();
        for (Index m = first; m < k; m = (m / block + 1) * block)
            x_.gather(&members_[m], std::min(k, (m / block + 1) * block) - m, stretches[s].first,
                      stretches[s].second,
                      values_[m / block].data() + m % block * stride_ + places[s], stride_);
    });
    parallel_for(k / block - first / block + 1, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index begin = (first / block + g) * block;
        for (Index m = std::max(first, begin); m < std::min(k, begin + block); ++m) centre(m);
    });
}

// Once more than the mean says, so that a large one leaves no trace.
void WorkingSet::centre(Index member) {
    double* column = values_[member / block].data() + member % block * stride_;
    double& mean = regression_.x_mean[members_[member]];
    double rest = 0.0;
    for (Index i = 0; i < rows_; ++i) {
        column[i] -= mean;
        rest += root_.empty() ? column[i] : root_[i] * root_[i] * column[i];
    }
    rest = regression_.intercept ? rest / regression_.weight : 0.0;
    for (Index i = 0; i < rows_; ++i)
        column[i] = root_.empty() ? column[i] - rest : (column[i] - rest) * root_[i];
    mean += rest;
}

// Zero for a column whose spread is rounding of its mean: it may not be used.
void WorkingSet::measure(Index member, double squares) {
    const double mean = regression_.x_mean[members_[member]];
    const double floor = mean * constant * mean * constant * regression_.weight;
    lengths_[member] = squares > floor ? squares : 0.0;
}

void WorkingSet::products_in_blocks(Index first) {
    const Index k = size();
    for (auto have = static_cast<Index>(products_.size()); have * block < k; ++have)
        products_.push_back(Buffer(area(block, block)));
    parallel_for((k + block - 1) / block - first / block, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index begin = (first / block + g) * block, end = std::min(k, begin + block);
        const Index from = std::max(first, begin);
        double* out = products_[begin / block].data();
        std::fill(out + (from - begin) * block, out + (end - begin) * block, 0.0);
        dense().products(values(from), end - from, stride_, values(begin), end - begin, stride_,
                         rows_, out + (from - begin) * block, block);
        for (Index i = from; i < end; ++i) {
            const double* row = out + (i - begin) * block;
            for (Index j = 0; j < i - begin; ++j) out[j * block + i - begin] = row[j];
            measure(i, row[i - begin]);
        }
    });
}

// Of the new members with all, each panel of new ones transposed and met by groups of the others.
void WorkingSet::products(Index first) {
    const Index n = rows_, k = size(), count = k - first;
    const Index panels = (count + panel - 1) / panel;
    Buffer turned = Buffer::unset(area(panels * panel, n));
    parallel_for(panels, [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        turn(first + t * panel, turned.data() + t * panel * n);
    });
    parallel_for((k + block - 1) / block, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index j0 = g * block, rows = std::min(k - j0, block);
        const Index from = j0 <= first ? 0 : (j0 - first) / panel;  // the rest is mirrored
        for (Index j = j0; j < j0 + rows; ++j) {
            double* row = gram_.data() + j * capacity_ + first;
            std::fill(row + from * panel, row + panels * panel, 0.0);
        }
        for (Index at = 0; at < n; at += product_rows)
            for (Index t = from; t < panels; ++t)
                scan::kernels().multiply(
                    values_[g].data() + at, rows, stride_, 1, std::min(product_rows, n - at),
                    turned.data() + (t * n + at) * panel, panel, panel,
                    gram_.data() + j0 * capacity_ + first + t * panel, capacity_);
    });
    mirror(first);
    for (Index i = first; i < k; ++i) measure(i, gram_[i * capacity_ + i]);
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

void WorkingSet::sparse_lengths(Index first) {
    std::vector<double> omega(static_cast<std::size_t>(x_.rows()));
    for (Index r = 0; r < x_.rows(); ++r)
        omega[r] = regression_.root_of(r) * regression_.root_of(r);
    for (Index i = first; i < size(); ++i) {
        const Index j = members_[i];
        double raw = 0.0;
        x_.squares(j, j + 1, omega.data(), 1, x_.rows(), &raw, 1);
        const double mean = regression_.x_mean[j];
        const double centred = raw - mean * mean * regression_.weight;
        lengths_[i] = centred > 1e-14 * raw ? centred : 0.0;
    }
}

// Entries left of the diagonal from those right of it, for rows from `first` on.
void WorkingSet::mirror(Index first) {
    constexpr Index tile = 16;
    const Index k = size(), count = k - first;
    double* gram = gram_.data();
    parallel_for((count + block - 1) / block, [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index begin = first + g * block, end = std::min(k, begin + block);
        for (Index i0 = begin; i0 < end; i0 += tile)
            for (Index j0 = 0; j0 < end; j0 += tile)
                for (Index i = i0; i < std::min(end, i0 + tile); ++i)
                    for (Index j = j0; j < std::min(i, j0 + tile); ++j)
                        gram[i * capacity_ + j] = gram[j * capacity_ + i];
    });
}

// Members `from` and on, one panel of them: rows side by side, zeros where there is none.
void WorkingSet::turn(Index from, double* out) const {
    const Index n = rows_, count = std::min(panel, size() - from);
    std::fill(out, out + n * panel, 0.0);
    for (Index c = 0; c < count; ++c) {
        const double* column = values(from + c);
        for (Index i = 0; i < n; ++i) out[i * panel + c] = column[i];
    }
}

void WorkingSet::residual(const std::vector<double>& w, std::vector<double>& r) const {
    const Index n = x_.rows();
    if (!x_.sparse()) {
        std::vector<double> left = packed(regression_.y);
        for (Index j = 0; j < size(); ++j)
            if (w[j] != 0.0) dense().axpy(-w[j], values(j), left.data(), rows_);
        unpack(left, r);
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
        const std::vector<double> left = packed(r);
        for (Index m = 0; m < size(); m += block)
            dense().products(values(m), std::min(block, size() - m), stride_, left.data(), 1, rows_,
                             rows_, c.data() + m, 1);
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
