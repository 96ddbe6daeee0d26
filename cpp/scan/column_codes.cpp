#include "scan/column_codes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "scan/keys.hpp"
#include "scan/sketch_cells.hpp"
#include "scan/sketch_hash.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

struct Row {
    std::uint64_t key;
    Index row;
};

// Rows with equal keys get one code.
OrderedCodes coded(std::vector<Row>& rows, Index n) {
    std::vector<Row> scratch(rows.size());
    sort_by_key(rows.data(), scratch.data(), static_cast<Index>(rows.size()));
    OrderedCodes out;
    out.codes.assign(static_cast<std::size_t>(n), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].key != rows[i - 1].key) out.first.push_back(rows[i].row);
        out.codes[rows[i].row] = static_cast<std::int64_t>(out.first.size()) - 1;
    }
    return out;
}

int compared(const Text& a, const Text& b) {
    const auto shorter = static_cast<std::size_t>(std::min(a.size, b.size));
    const int found = std::memcmp(a.data, b.data, shorter);
    return found != 0 ? found : (a.size > b.size) - (a.size < b.size);
}

// The first eight bytes as a number in their order; shorter texts end in zeros.
std::uint64_t front(const Text& text) {
    std::uint64_t out = 0;
    const Index size = std::min<Index>(text.size, 8);
    for (Index i = 0; i < size; ++i)
        out |= std::uint64_t{static_cast<unsigned char>(text.data[i])} << (56 - 8 * i);
    return out;
}

// Distinct texts, numbered as they come.
class TextNumbers {
 public:
    TextNumbers(const Text* texts, Index n)
        : texts_(texts), slots_(std::bit_ceil(static_cast<std::size_t>(2 * n + 16)), -1) {}

    std::int64_t number_of(Index row) {
        const Text& text = texts_[row];
        const std::uint64_t hash = text_hash(text.data, text.size);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
            const std::int64_t held = slots_[slot];
            if (held < 0) {
                slots_[slot] = static_cast<std::int64_t>(first.size());
                first.push_back(row);
                hashes_.push_back(hash);
                return slots_[slot];
            }
            const auto at = static_cast<std::size_t>(held);
            if (hashes_[at] == hash && compared(texts_[first[at]], text) == 0) return held;
        }
    }
    std::vector<std::int64_t> first;

 private:
    const Text* texts_;
    std::vector<std::int64_t> slots_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace

OrderedCodes ordered_codes(const double* values, Index n) {
    std::vector<Row> rows;
    rows.reserve(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i)
        if (!std::isnan(values[i])) rows.push_back({key_of_real(values[i]), i});
    return coded(rows, n);
}

OrderedCodes ordered_codes(const std::int64_t* values, Index n) {
    std::vector<Row> rows;
    rows.reserve(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i)
        if (values[i] != std::numeric_limits<std::int64_t>::min())
            rows.push_back({static_cast<std::uint64_t>(values[i]) ^ sign_bit, i});
    return coded(rows, n);
}

OrderedCodes ordered_codes(const Text* texts, Index n) {
    TextNumbers numbers(texts, n);
    OrderedCodes out;
    out.codes.assign(static_cast<std::size_t>(n), -1);
    for (Index i = 0; i < n; ++i)
        if (texts[i].data != nullptr) out.codes[i] = numbers.number_of(i);
    std::vector<Row> order(numbers.first.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = {front(texts[numbers.first[k]]), static_cast<Index>(k)};
    const auto before = [&](const Row& a, const Row& b) {
        if (a.key != b.key) return a.key < b.key;
        return compared(texts[numbers.first[a.row]], texts[numbers.first[b.row]]) < 0;
    };
    if (!std::is_sorted(order.begin(), order.end(), before))
        std::sort(order.begin(), order.end(), before);
    std::vector<std::int64_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        place[order[k].row] = static_cast<std::int64_t>(k);
        out.first.push_back(numbers.first[order[k].row]);
    }
    for (std::int64_t& code : out.codes)
        if (code >= 0) code = place[code];
    return out;
}

void centred_ranks(const std::int64_t* places, const std::uint8_t* rows, Index n, Index levels,
                   double* out) {
    std::vector<std::int32_t> counts(static_cast<std::size_t>(levels));
    Index total = 0;
    for (Index i = 0; i < n; ++i) {
        if (rows[i] == 0) continue;
        if (places[i] < 0 || places[i] >= levels)
            throw InvalidArgument("a row without a value has no rank");
        ++counts[places[i]];
        ++total;
    }
    const double middle = 0.5 * static_cast<double>(total + 1);
    std::vector<double> ranks(static_cast<std::size_t>(levels));
    std::int64_t seen = 0;
    for (Index k = 0; k < levels; ++k) {
        seen += counts[k];
        ranks[k] = static_cast<double>(seen) - 0.5 * (counts[k] - 1) - middle;
    }
    for (Index i = 0; i < n; ++i)
        if (rows[i] != 0) *out++ = ranks[places[i]];
}

}  // namespace stylobate::scan
