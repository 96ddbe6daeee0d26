// Rows as 16-bit whole numbers in one unit, and the nearest centres of most of them: half the bytes
// of single precision, and twice as many products of an instruction.
//
// A row less the origin is x = σ b + e, a centre c = τ a + f, with whole numbers ‖b‖, ‖a‖ < 2¹⁵,
// so that b·a is below 2³⁰. Rounding leaves ‖e‖ ≤ E = σ √p / 2 and ‖f‖ ≤ F = τ √p / 2, hence
//
//     x·c = σ τ b·a + e·c + σ b·f,        |e·c| ≤ E ‖c‖,        |σ b·f| ≤ ‖σ b‖ F.
//
// Half of ‖x − c‖² − ‖x‖² is taken in units of σ τ, as a whole number of 31 bits whose lowest bits
// are replaced by the centre's number: the smallest tells the nearest centre, unless the next is
// too near it. The distance itself is that of σ b to within E.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/centres.hpp"

namespace stylobate::cluster {

inline unsigned long long encode_rows(const double* x, Index stride, Index rows, Index depth,
                                      const double* origin, double factor, double most, short* out,
                                      float* squares) {
    return kernels().encode_rows_f64(x, stride, rows, depth, origin, factor, most, out, squares);
}
inline unsigned long long encode_rows(const float* x, Index stride, Index rows, Index depth,
                                      const double* origin, double factor, double most, short* out,
                                      float* squares) {
    return kernels().encode_rows_f32(x, stride, rows, depth, origin, factor, most, out, squares);
}

// What is the same for all rows of a table and all centres of one assignment.
constexpr double longest_code = 32766.0;

// The codes of all rows of a table, panel by panel.
template <class T>
class RowCodes {
 public:
    // The unit follows from a sample of the rows; those that are much longer have no code.
    RowCodes(const MatrixView<T>& x, const std::vector<double>& origin)
        : x_(x), origin_(origin), pairs_((x.cols + 1) / 2) {
        constexpr Index most = 4096;
        const Index step = std::max<Index>(1, x.rows / most);
        double longest = 0.0;
        for (Index i = 0; i < x.rows; i += step) {
            double square = 0.0;
            for (Index l = 0; l < x.cols; ++l) {
                const double off = static_cast<double>(x(i, l)) - origin[l];
                square += off * off;
            }
            if (std::isfinite(square)) longest = std::max(longest, square);
        }
        unit_ = 1.25 * std::sqrt(longest) / longest_code;
        usable_ = longest > 1e-24 && longest < 1e24;
        if (!usable_) return;
        const Index rows = tile::round_up(x.rows, width());
        codes_ = tile::Aligned<std::int16_t>(area(rows, 2 * pairs_));
        squares_ = tile::Aligned<float>(rows);
        without_.resize(static_cast<std::size_t>(rows / width()));
    }
    static Index width() { return tile::panel_rows<float>(); }
    bool usable() const { return usable_; }
    double unit() const { return unit_; }
    Index pairs() const { return pairs_; }

    void encode(Index first, Index count) {
        without_[first / width()] =
            encode_rows(x_.row(first), x_.row_stride, count, x_.cols, origin_.data(), 1.0 / unit_,
                        longest_code * longest_code, codes_.data() + first * 2 * pairs_,
                        squares_.data() + first);
    }
    // Of the panel that begins with a row.
    const std::int16_t* panel(Index first) const { return codes_.data() + first * 2 * pairs_; }
    const float* squares(Index first) const { return squares_.data() + first; }
    unsigned long long without(Index first) const { return without_[first / width()]; }

 private:
    const MatrixView<T> x_;
    const std::vector<double>& origin_;
    Index pairs_;
    double unit_ = 0.0;  // σ
    bool usable_ = false;
    tile::Aligned<std::int16_t> codes_;
    tile::Aligned<float> squares_;             // Σ b²
    std::vector<unsigned long long> without_;  // of each panel: rows that have no code
};

// The centres of one assignment as codes.
template <class T>
class CodedCentres {
 public:
    static constexpr Index most = Index{1} << 12;  // centres that a result's lowest bits can tell

    CodedCentres(const Centres<T>& centres, const std::vector<double>& origin, double unit,
                 Index pairs) {
        const Index k = centres.count, p = centres.cols;
        std::vector<double> values(static_cast<std::size_t>(area(k, p)));
        std::vector<double> squares(static_cast<std::size_t>(k));
        double longest = 0.0;
        for (Index c = 0; c < k; ++c) {
            for (Index l = 0; l < p; ++l) {
                const double value = static_cast<double>(centres.row(c)[l]) - origin[l];
                values[c * p + l] = value, squares[c] += value * value;
            }
            longest = std::max(longest, squares[c]);
        }
        longest = std::sqrt(longest);
        const double width = longest_code - 0.5 * std::sqrt(static_cast<double>(p));
        const double own = std::max(longest / width, 1e-3 * unit);
        usable_ = width > 0.9 * longest_code && own <= 1.7 * unit && k > 1 && k <= most;
        if (!usable_) return;
        while (label_bits_ + 1 < k) label_bits_ = 2 * label_bits_ + 1;
        set_codes(values, squares, k, p, own, unit, pairs);
        set_errors(longest, static_cast<double>(p), own, unit);
    }
    // Whether there are codes, and all results below 2³¹.
    bool usable() const { return usable_; }
    CentreCodes codes() const {
        const auto count = static_cast<Index>(starts_.size());
        const Index pairs = static_cast<Index>(codes_.size()) / std::max<Index>(2 * count, 1);
        return {codes_.data(), starts_.data(), count, pairs, label_bits_};
    }
    int limit() const { return limit_; }
    const CodeScales& scales() const { return scales_; }
    int bits() const { return label_bits_; }
    Index label(int result) const { return result & label_bits_; }

 private:
    void set_codes(const std::vector<double>& values, const std::vector<double>& squares, Index k,
                   Index p, double own, double unit, Index pairs) {
        const Index side = kernels().tile_queries(), groups = (k + side - 1) / side;
        codes_.assign(static_cast<std::size_t>(area(k, 2 * pairs)), 0);
        starts_.resize(static_cast<std::size_t>(k));
        for (Index g = 0; g < groups; ++g) {
            const Index first = k * g / groups, part = k * (g + 1) / groups - first;
            std::int16_t* const out = codes_.data() + first * 2 * pairs;
            for (Index i = 0; i < part; ++i)
                for (Index l = 0; l < p; ++l)
                    out[(l / 2 * part + i) * 2 + l % 2] =
                        static_cast<std::int16_t>(std::lround(-values[(first + i) * p + l] / own));
        }
        for (Index c = 0; c < k; ++c)
            starts_[c] = static_cast<int>(std::lround(squares[c] / (2.0 * unit * own)));
    }

    void set_errors(double longest, double p, double own, double unit) {
        const double half = 0.5 * std::sqrt(p) * (1.0 + 1e-9);
        const double row = unit * half, centre = own * half, reach = unit * longest_code;
        // of half the square: of the code of a centre; of a row's; of whole numbers instead of
        // others
        const double of_centre = reach * centre, of_row = row * longest;
        const double rough = unit * own * static_cast<double>(label_bits_ + 2);
        const double twice = 2.0 * (of_centre + of_row + rough) / (unit * own);
        limit_ = static_cast<int>(std::min(std::ceil(twice * (1.0 + 1e-9)) + 1.0, 0x1p30));
        // 2³¹ results in single precision are off by 128 at most
        const double squared = 2.0 * (of_centre + rough + 256.0 * unit * own);
        scales_.square = static_cast<float>(unit * unit);
        scales_.product = static_cast<float>(2.0 * unit * own);
        scales_.off = rounded_up(squared + 0x1p-19 * (longest * longest + reach * reach));
        scales_.row = rounded_up(row);
    }

    std::vector<std::int16_t> codes_;
    std::vector<int> starts_;
    int label_bits_ = 0, limit_ = 0;
    CodeScales scales_{};
    bool usable_ = false;
};

}  // namespace stylobate::cluster
