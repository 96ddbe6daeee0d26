// Which pairs of dense rows may be near, from rows as bytes: a quarter of the work of products in
// single precision, a bound that is wider but proved all the same.
//
// Every row is v = s·b + e with whole numbers |b| ≤ 127 and a scale s of its own, and the length of
// e is known. Products a·b are whole numbers without any rounding, and
//
//     ‖x − y‖ ≥ ‖s a − t b‖ − ‖e‖ − ‖f‖,        |x·y − s t a·b| ≤ ‖e‖ ‖y‖ + ‖s a‖ ‖f‖
//
// for x = s a + e and y = t b + f. With ‖f‖ ≤ κt for all rows of a block, a pair can be within r of
// each other only where, after division by 2t,
//
//     (‖t b‖² − κ²t²) / 2t − s a·b − (ρ² − ‖s a‖²) / 2t ≤ κρ,        ρ = r + ‖e‖:
//
// a number of the row, one of the pair, a product of one of the query and one of the row, against a
// limit of the query. They are taken in single precision; each is off by less than `slack` of the
// squares it is made of, which the row's and the query's own numbers make room for.
#pragma once

#include "scan/kernels.hpp"
#include "tile/filter.hpp"

namespace stylobate::tile {

template <class T>
class CodeFilter {
 public:
    struct Chunk {
        Index query0, queries;
        Aligned<signed char> codes;
        Aligned<float> values;
        std::vector<double> norms, errors;  // ‖s a‖ and ‖e‖
        std::vector<CodeQuery> marks;
        std::vector<TileBits> bits;
    };

    explicit CodeFilter(const RowPairs<T>& pairs)
        : pairs_(pairs), fours_((pairs.depth() + 3) / 4), factor_(inverse_unit(pairs)) {}
    static Index width() { return panel_rows<float>(); }

    // Of the cost of measuring a pair exactly, what codes save over products of floats.
    static double saving(Index depth) {
        return 0.08 * static_cast<double>(depth) / static_cast<double>(depth + 64);
    }

    void open_block(Index row0, Index rows) {
        const Index panels = (rows + width() - 1) / width();
        row0_ = row0;
        packed_ = Aligned<unsigned char>(area(panels * width(), fours_ * 4));
        std::vector<Coded> coded(static_cast<std::size_t>(rows));
        constexpr Index group = 16;
        parallel_for((panels + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
            Encoder encoder(pairs_, factor_);
            for (Index i = g * group; i < std::min(panels, (g + 1) * group); ++i) {
                const Index at = i * width(), count = std::min(width(), rows - at);
                unsigned char* const panel = packed_.data() + at * fours_ * 4;
                std::memset(panel, 0, static_cast<std::size_t>(width() * fours_ * 4));
                for (Index w = 0; w < count; ++w) {
                    coded[at + w] = encoder(pairs_.y, row0 + at + w);
                    encoder.put(panel + w * 4, width(), 128);
                }
                checkpoint();
            }
        });
        set_numbers(coded, panels * width());
    }

    // Whether most rows of the open block have a code that can be used.
    bool sharp() const { return usable_; }

    Chunk open_chunk(Index query0, Index queries) const {
        const Index unit = kernels().tile_queries(), padded = round_up(queries, unit);
        const auto size = static_cast<std::size_t>(padded);
        Chunk chunk{query0,
                    queries,
                    Aligned<signed char>(padded * fours_ * 4),
                    Aligned<float>(padded * width()),
                    std::vector<double>(size),
                    std::vector<double>(size),
                    std::vector<CodeQuery>(size),
                    std::vector<TileBits>(size)};
        std::memset(chunk.codes.data(), 0, static_cast<std::size_t>(padded * fours_ * 4));
        Encoder encoder(pairs_, factor_);
        for (Index i = 0; i < queries; ++i) {
            const Coded coded = encoder(pairs_.x, query0 + i);
            chunk.norms[i] = coded.norm(), chunk.errors[i] = coded.error;
            if (!coded.usable()) continue;
            chunk.marks[i].scale = coded.code.scale;
            chunk.marks[i].start = -128 * static_cast<int>(coded.code.sum);
            encoder.put(chunk.codes.data() + (i / unit * unit * fours_ + i % unit) * 4, unit, 0);
        }
        return chunk;
    }

    // Query i's pairs beyond `worst` are of no interest any more.
    void tighten(Chunk& chunk, Index i, double worst) const {
        CodeQuery& mark = chunk.marks[i];
        const double norm = chunk.norms[i], error = chunk.errors[i];
        double lift, limit;
        if (pairs_.inner) {
            const double value = worst * factor_ * factor_;
            lift = 2.0 * (value + slack * std::fabs(value));
            limit = (off_ * norm + longest_ * error) + slack * longest_ * (norm + error);
        } else {
            const double radius = std::sqrt(worst) * factor_ * (1.0 + slack) + error + least;
            lift = (radius * radius - norm * norm) + slack * (radius * radius + norm * norm);
            limit = off_ * radius * (1.0 + slack);
        }
        const bool any = mark.scale > 0.0f && lift == lift && limit == limit;
        mark.lift = any ? static_cast<float>(lift + least) : 0.0f;
        mark.limit = any ? static_cast<float>(limit + least) : infinity;
    }

    // The candidates of one panel, into chunk.bits; columns beyond the rows may be among them.
    Index candidates(Chunk& chunk, Index row0) const {
        const Index at = row0 - row0_;
        return kernels().tile_codes(chunk.codes.data(), chunk.queries,
                                    packed_.data() + at * fours_ * 4, fours_, &offsets_[at],
                                    &inverses_[at], chunk.marks.data(), chunk.values.data(),
                                    chunk.bits.data());
    }

    // Whether a candidate, row0 + j of its panel, is none any more, the limit having been
    // tightened.
    bool dropped(const Chunk& chunk, Index i, Index row0, Index j) const {
        const CodeQuery& mark = chunk.marks[i];
        const float value = chunk.values.data()[i * width() + j];
        return value - mark.lift * inverses_[row0 - row0_ + j] > mark.limit;
    }

 private:
    static constexpr float infinity = std::numeric_limits<float>::infinity();
    // 32 unit roundoffs of float, where at most ten occur; far above all that is done in double.
    static constexpr double slack = 0x1p-19;
    // Scales are kept within 2^±24 of the rows' typical one: all products then stay in the range of
    // float, and what underflows, here or in the exact values, stays below `least`.
    static constexpr double range = 0x1p24, least = 0x1p-60;

    struct Coded {
        RowCode code;
        double error;  // ‖v − s b‖, not below the true one
        bool usable() const { return static_cast<double>(code.scale) <= range && error < 1e300; }
        double norm() const { return static_cast<double>(code.scale) * std::sqrt(code.squares); }
    };

    // Codes of one row after the other.
    class Encoder {
     public:
        Encoder(const RowPairs<T>& pairs, double factor)
            : pairs_(pairs),
              factor_(factor),
              length_(round_up(pairs.depth(), 8)),
              centred_(length_),
              codes_(static_cast<std::size_t>(length_)) {}

        Coded operator()(const MatrixView<T>& rows, Index row) {
            const MatrixView<T> one{rows.row(row), 1, rows.cols, rows.row_stride, rows.col_stride};
            pack(one, centred_.data());
            const RowCode code = kernels().tile_encode(centred_.data(), length_, factor_,
                                                       1.0 / range, codes_.data());
            Coded coded{code, 0.0};
            // the rounding of the centred entries, of their codes and of the sum
            coded.error = std::sqrt(code.error) * (1.0 + slack) + 0x1p-45 * coded.norm() + least;
            return coded;
        }

        // Four columns at a time, `stride` rows side by side, each code plus `shift`.
        template <class Byte>
        void put(Byte* out, Index stride, int shift) const {
            const Index depth = pairs_.depth();
            for (Index l = 0; l < depth; l += 4, out += stride * 4)
                for (Index h = 0; h < std::min<Index>(4, depth - l); ++h)
                    out[h] = static_cast<Byte>(codes_[l + h] + shift);
        }

     private:
        void pack(const MatrixView<double>& row, double* out) {
            scan::kernels().pack_f64(row, pairs_.centre.data(), out, length_);
        }
        void pack(const MatrixView<float>& row, double* out) {
            scan::kernels().pack_f32(row, pairs_.centre.data(), out, length_);
        }
        const RowPairs<T>& pairs_;
        double factor_;
        Index length_;
        Buffer centred_;
        std::vector<signed char> codes_;
    };

    // 1 / the scale of a typical row, as a power of two; 0 where there is none in a safe range.
    static double inverse_unit(const RowPairs<T>& pairs) {
        constexpr Index most = 256;
        std::vector<double> sizes;
        const Index step = std::max<Index>(1, pairs.y.rows / most);
        for (Index i = 0; i < pairs.y.rows; i += step) {
            double size = 0.0;
            for (Index l = 0; l < pairs.depth(); ++l)
                size = std::max(size, std::fabs(static_cast<double>(pairs.y(i, l)) -
                                                pairs.centre[static_cast<std::size_t>(l)]));
            if (size > 0x1p-400 && size < 0x1p400) sizes.push_back(size);
        }
        if (sizes.empty()) return 0.0;
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        return std::exp2(-std::floor(std::log2(*middle / 127.0)));
    }

    // What the codes of the open block say about each of its rows, and all of them.
    void set_numbers(const std::vector<Coded>& coded, Index padded) {
        offsets_.assign(static_cast<std::size_t>(padded), infinity);  // beyond the rows: far away
        inverses_.assign(static_cast<std::size_t>(padded), 0.0f);
        off_ = longest_ = 0.0;
        std::size_t good = 0;
        for (const Coded& row : coded) {
            if (!row.usable()) continue;
            ++good;
            off_ = std::max(off_, row.error / static_cast<double>(row.code.scale));
            longest_ = std::max(longest_, std::sqrt(row.code.squares));
        }
        off_ *= 1.0 + slack;
        longest_ += off_;
        for (std::size_t j = 0; j < coded.size(); ++j) {
            offsets_[j] = -infinity;  // without a code: always a candidate
            if (!coded[j].usable()) continue;
            const double scale = static_cast<double>(coded[j].code.scale);
            const double square = coded[j].code.squares * scale * scale;
            const double around = off_ * off_ * scale * scale;
            const double lowest = (square - around) - slack * (square + around);
            offsets_[j] = pairs_.inner ? 0.0f : static_cast<float>(lowest / (2.0 * scale));
            inverses_[j] = static_cast<float>(1.0 / (2.0 * scale));
        }
        usable_ = factor_ > 0.0 && 64 * (coded.size() - good) <= coded.size();
    }

    const RowPairs<T>& pairs_;
    Index fours_;
    double factor_;
    Index row0_ = 0;
    Aligned<unsigned char> packed_;
    std::vector<float> offsets_, inverses_;
    double off_ = 0.0, longest_ = 0.0;  // κ, and the largest ‖b‖ + κ
    bool usable_ = false;
};

}  // namespace stylobate::tile
