#include "descend/support_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "descend/cholesky.hpp"
#include "descend/dense.hpp"

namespace stylobate::descend {
namespace {

constexpr Index group = 64;              // columns that enter at once
constexpr double visible_share = 1e-10;  // of a column's square: a ridge that rounding lets be seen
constexpr double dependent_share = 1e-11;  // of a column's length that the others must leave

// rows ← L⁻¹·rows, L of size m, rows `ld` apart and `cols` long
void forward(const double* l, Index m, double* rows, Index cols, Index ld) {
    for (Index a = 0; a < m; ++a) {
        for (Index b = 0; b < a; ++b)
            dense().axpy(-l[a * m + b], rows + b * ld, rows + a * ld, cols);
        const double scale = 1.0 / l[a * m + a];
        for (Index i = 0; i < cols; ++i) rows[a * ld + i] *= scale;
    }
}

// h[i][j] += sign·Σ_a v[a][i]·v[a][j]
void rank_update(double* h, Index k, Index ld, const std::vector<double>& v, Index m, double sign) {
    std::vector<double> turned(static_cast<std::size_t>(k * m));
    for (Index a = 0; a < m; ++a)
        for (Index i = 0; i < k; ++i) turned[i * m + a] = sign * v[a * k + i];
    dense().correlate_rows_f64(v.data(), m, k, k, turned.data(), k, m, h, ld);
}

}  // namespace

Index SupportInverse::distance(const std::vector<Index>& support) const {
    std::vector<Index> sorted = members_, both;
    std::sort(sorted.begin(), sorted.end());
    std::set_symmetric_difference(sorted.begin(), sorted.end(), support.begin(), support.end(),
                                  std::back_inserter(both));
    return static_cast<Index>(both.size());
}

void SupportInverse::reserve(Index size) {
    if (size <= ld_) return;
    const Index k = static_cast<Index>(members_.size()), room = padded_stride(size + size / 2);
    Buffer bigger(area(room, room));
    for (Index i = 0; i < k; ++i)
        std::memcpy(bigger.data() + i * room, h_.data() + i * ld_, k * sizeof(double));
    h_ = std::move(bigger);
    ld_ = room;
}

bool SupportInverse::follow(const Gram& gram, double l2, const std::vector<Index>& support,
                            Checkpoint& checkpoint) {
    if (l2 != l2_) clear();
    l2_ = l2;
    std::vector<Index> leaving, entering;
    for (Index m = 0; m < static_cast<Index>(members_.size()); ++m)
        if (!std::binary_search(support.begin(), support.end(), members_[m])) leaving.push_back(m);
    if (2 * leaving.size() >= members_.size() && !leaving.empty()) clear(), leaving.clear();
    if (!leaving.empty()) remove(leaving);
    std::vector<Index> sorted = members_;
    std::sort(sorted.begin(), sorted.end());
    std::set_difference(support.begin(), support.end(), sorted.begin(), sorted.end(),
                        std::back_inserter(entering));
    reserve(static_cast<Index>(support.size()));
    for (std::size_t at = 0; at < entering.size(); at += group) {
        checkpoint();
        const std::size_t end = std::min(entering.size(), at + group);
        if (!add(gram, {entering.begin() + at, entering.begin() + end})) return false;
    }
    return true;
}

// H_KK − H_KR·H_RR⁻¹·H_RK for the remaining K and the removed R
void SupportInverse::remove(const std::vector<Index>& positions) {
    const Index k = static_cast<Index>(members_.size()), m = static_cast<Index>(positions.size());
    const Index left = k - m;
    std::vector<Index> kept(left);  // who takes each place: those at the end fill the gaps
    for (Index i = 0, last = k - 1; i < left; ++i) {
        kept[i] = i;
        if (!std::binary_search(positions.begin(), positions.end(), i)) continue;
        while (std::binary_search(positions.begin(), positions.end(), last)) --last;
        kept[i] = last--;
    }
    std::vector<double> corner(m * m), v(m * left);
    for (Index a = 0; a < m; ++a) {
        const double* row = h_.data() + positions[a] * ld_;
        for (Index b = 0; b < m; ++b) corner[a * m + b] = row[positions[b]];
        for (Index i = 0; i < left; ++i) v[a * left + i] = row[kept[i]];
    }
    if (cholesky(corner.data(), m, m, nullptr) < m) {  // rounding has spoilt it: build it anew
        clear();
        return;
    }
    for (Index i = 0; i < left; ++i) {
        if (kept[i] == i) continue;
        std::memcpy(h_.data() + i * ld_, h_.data() + kept[i] * ld_, k * sizeof(double));
        members_[i] = members_[kept[i]];
    }
    for (Index i = 0; i < left; ++i) {
        double* row = h_.data() + i * ld_;
        for (const Index j : positions)
            if (j < left) row[j] = row[kept[j]];
    }
    members_.resize(left);
    forward(corner.data(), m, v.data(), left, left);
    rank_update(h_.data(), left, ld_, v, m, -1.0);
}

bool SupportInverse::add(const Gram& gram, const std::vector<Index>& columns) {
    const Index k = static_cast<Index>(members_.size()), m = static_cast<Index>(columns.size());
    std::vector<double> u(m * k), v(m * k, 0.0), corner(m * m);
    for (Index a = 0; a < m; ++a) {
        const double* row = gram.entries + columns[a] * gram.ld;
        for (Index i = 0; i < k; ++i) u[a * k + i] = row[members_[i]];
    }
    if (k > 0) dense().correlate_rows_f64(h_.data(), k, ld_, k, u.data(), m, k, v.data(), k);
    for (Index a = 0; a < m; ++a)
        for (Index b = 0; b < m; ++b)
            corner[a * m + b] = gram.entries[columns[a] * gram.ld + columns[b]] +
                                (a == b ? l2_ : 0.0) -
                                dense().dot(v.data() + a * k, u.data() + b * k, k);
    std::vector<double> floors(m);
    for (Index a = 0; a < m; ++a) {
        const double length = gram.lengths[columns[a]];
        floors[a] = dependent_share * length;
        if (l2_ >
            visible_share * length)  // makes every column independent; less is as good as none
            floors[a] = std::max(1e-15 * length, std::min(floors[a], 0.1 * l2_));
    }
    const Index done = cholesky(corner.data(), m, m, floors.data());
    if (done < m) {
        if (done > 0 && !add(gram, {columns.begin(), columns.begin() + done})) return false;
        if (done > 0) return add(gram, {columns.begin() + done, columns.end()});
        dependent = columns[0];
        combination.assign(v.begin(), v.begin() + k);
        return false;
    }
    forward(corner.data(), m, v.data(), k, k);  // V = L⁻¹B
    rank_update(h_.data(), k, ld_, v, m, 1.0);
    // columns of L⁻¹, then the new rows −L⁻ᵀV and L⁻ᵀL⁻¹
    std::vector<double> inverse(m * m, 0.0);
    for (Index a = 0; a < m; ++a) inverse[a * m + a] = 1.0;
    forward(corner.data(), m, inverse.data(), m, m);
    for (Index a = 0; a < m; ++a) {
        double* row = h_.data() + (k + a) * ld_;
        std::fill(row, row + k + m, 0.0);
        for (Index b = a; b < m; ++b) {
            dense().axpy(-inverse[b * m + a], v.data() + b * k, row, k);
            dense().axpy(inverse[b * m + a], inverse.data() + b * m, row + k, m);
        }
        for (Index i = 0; i < k; ++i) h_[i * ld_ + k + a] = row[i];
    }
    members_.insert(members_.end(), columns.begin(), columns.end());
    return true;
}

void SupportInverse::multiply(const std::vector<double>& g, std::vector<double>& d) const {
    d.assign(g.size(), 0.0);
    const Index k = static_cast<Index>(g.size());
    for (Index i = 0; i < k; ++i) d[i] = dense().dot(h_.data() + i * ld_, g.data(), k);
}

double SupportInverse::condition(const Gram& gram) const {
    double most = 1.0;
    for (Index i = 0; i < static_cast<Index>(members_.size()); ++i)
        most = std::max(most, h_[i * ld_ + i] * (gram.lengths[members_[i]] + l2_));
    return std::sqrt(most);
}

}  // namespace stylobate::descend
