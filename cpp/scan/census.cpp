#include "scan/census.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "scan/utf8.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

enum : std::uint8_t { plain, separator, quote, feed, carriage, zero, high, low_line };

using Lane = std::int8_t __attribute__((vector_size(16)));

Lane lane_at(const std::uint8_t* bytes) {
    Lane lane;
    std::memcpy(&lane, bytes, 16);
    return lane;
}

bool any(Lane mask) {
    std::uint64_t words[2];
    std::memcpy(words, &mask, 16);
    return (words[0] | words[1]) != 0;
}

// Cells that begin with these three bytes are no codes, and no spelling begins so.
Lane harmless(Lane first, Lane second, Lane third) {
    const auto within = [](Lane x, char low, char top) { return (x >= low) & (x <= top); };
    const auto number = [&](Lane x, Lane next) {
        return within(x, '1', '9') | ((x == '0') & ~within(next, '0', '9'));
    };
    return number(first, second) | ((first == '-') & number(second, third)) |
           ((first >= 'A') & ((first | 0x20) != 'n') & (first != '\\'));
}

bool is_digit(std::uint8_t byte) {
    return byte >= '0' && byte <= '9';
}

}  // namespace

TextCensus::TextCensus(std::uint8_t delimiter, std::vector<std::string> spellings)
    : spellings_(std::move(spellings)), held_(2 * past, '\n'), delimiter_(delimiter) {
    if (spellings_.size() > 64) throw InvalidArgument("at most 64 spellings can be looked for");
    for (std::size_t k = 0; k < spellings_.size(); ++k) {
        const std::string& text = spellings_[k];
        if (text.empty() || text.size() > 15)
            throw InvalidArgument("a spelling must have 1 to 15 bytes");
        const char first = text[0];
        if (is_digit(static_cast<std::uint8_t>(first)) ||
            (first >= 'A' && first != 'N' && first != 'n' && first != '\\'))
            throw InvalidArgument("a spelling must begin with N, n or a mark");
        begins_[static_cast<std::uint8_t>(text[0])] |= std::uint64_t{1} << k;
    }
    std::fill(classes_.begin() + 128, classes_.end(), high);
    classes_['"'] = quote;
    classes_['_'] = low_line;
    classes_[delimiter] = separator;
    classes_['\n'] = feed;
    classes_['\r'] = carriage;
    classes_[0] = zero;
}

// Behind what is held stand line ends, so that no look ahead leaves it.
void TextCensus::add(const std::uint8_t* block, std::size_t count, bool last) {
    held_.erase(held_.end() - static_cast<std::ptrdiff_t>(past), held_.end());
    held_.insert(held_.end(), block, block + count);
    const std::size_t size = held_.size();
    held_.insert(held_.end(), past, '\n');
    bytes += count;
    const std::size_t end = last ? size : size - std::min(size, reach);
    if (end > next_) {
        if (!begun_) look_at_cell(next_);
        begun_ = true;
        walk(next_, end);
        held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(next_ - past));
        next_ = past;
    }
    if (last) longest_line = std::max(longest_line, current_line);
}

// Sixteen bytes at a time: a mask of those worth a look, which are then met one by one. Controls
// and bytes beyond ASCII are what is below a blank as signed numbers. A delimiter is worth a look
// only before a cell that may be a code or a spelling, unless quotes are about.
void TextCensus::walk(std::size_t begin, std::size_t end) {
    line_start_ = resume_ = counted_ = begin;
    const std::uint8_t* const b = held_.data();
    const auto all = [](std::uint8_t value) { return Lane{} + static_cast<std::int8_t>(value); };
    const Lane blank = all(' '), mark = all(delimiter_), quotation = all('"'), low = all('_');
    std::size_t i = begin;
    for (; i + 16 <= end; i += 16) {
        const Lane lane = lane_at(b + i);
        const Lane quoted = lane == quotation, divided = lane == mark;
        Lane events = (lane < blank) | quoted | (lane == low);
        if (open_quote || any(quoted)) {
            count_columns(i);
            counted_ = i + 16;  // these are counted when met
            events |= divided;
        } else {
            events |=
                divided & ~harmless(lane_at(b + i + 1), lane_at(b + i + 2), lane_at(b + i + 3));
        }
        std::uint64_t words[2];
        std::memcpy(words, &events, 16);
        for (std::size_t half = 0; half < 2; ++half)
            for (std::uint64_t left = words[half]; left != 0;) {
                const auto k = static_cast<std::size_t>(std::countr_zero(left)) / 8;
                left &= ~(std::uint64_t{0xFF} << (8 * k));
                meet(i + 8 * half + k);
            }
    }
    count_columns(i);
    counted_ = std::max(end, counted_);
    for (; i < end; ++i) meet(i);
    i = std::max(i, resume_);
    current_line += i - std::min(line_start_, i);
    next_ = i;
}

// Adds the delimiters since the last count, none of which is within quotes.
void TextCensus::count_columns(std::size_t until) {
    if (counted_ >= until) return;
    const auto* const b = held_.data();
    column_ += static_cast<std::uint64_t>(std::count(b + counted_, b + until, delimiter_));
    counted_ = until;
}

void TextCensus::meet(std::size_t at) {
    if (at < resume_) return;  // belongs to a character or a pair of quotes met before
    const std::uint8_t* const b = held_.data();
    switch (classes_[b[at]]) {
        case plain:
            break;
        case feed:
            ++feeds;
            pairs += b[at - 1] == '\r';
            end_line(at);
            break;
        case carriage:
            ++returns;
            end_line(at);
            break;
        case quote:
            meet_quote(at);
            break;
        case separator:
            if (open_quote) break;
            if (at < counted_)
                ++column_;
            else
                count_columns(at + 1);
            look_at_cell(at + 1);
            break;
        case zero:
            if (zeros++ == 0) first_zero_line = line();
            break;
        case low_line:
            if (is_digit(b[at - 1]) && is_digit(b[at + 1])) {
                if (!open_quote) count_columns(at);
                mark_odd();
            }
            break;
        default: {
            const std::size_t length = letter_length(b + at, held_.size() - past - at);
            if (length == 0 && invalid++ == 0) first_invalid_line = line();
            resume_ = at + std::max<std::size_t>(length, 1);
        }
    }
}

void TextCensus::end_line(std::size_t at) {
    longest_line = std::max<std::uint64_t>(longest_line, current_line + (at - line_start_));
    current_line = 0;
    line_start_ = at + 1;
    if (open_quote) return;
    column_ = 0;
    counted_ = std::max(counted_, at + 1);
    look_at_cell(at + 1);
}

// A quote opens a cell only at its beginning (blanks may stand before it); two within are one.
void TextCensus::meet_quote(std::size_t at) {
    const std::uint8_t* const b = held_.data();
    ++quotes;
    if (open_quote) {
        if (b[at + 1] == '"') {
            ++quotes;
            resume_ = at + 2;
            return;
        }
        open_quote = false;
        return;
    }
    std::size_t before = at - 1;
    while (before > at - std::min(at, past) && b[before] == ' ') --before;
    if (b[before] == delimiter_ || b[before] == '\n' || b[before] == '\r') {
        open_quote = true;
        look_at_cell(at + 1);
    }
}

void TextCensus::mark_odd() {
    const auto at = std::lower_bound(odd_columns.begin(), odd_columns.end(), column_);
    if (at == odd_columns.end() || *at != column_) odd_columns.insert(at, column_);
}

// The cell that begins there: a code of digits after a zero, or one of the spellings.
void TextCensus::look_at_cell(std::size_t start) {
    const std::uint8_t* const b = held_.data();
    const std::size_t size = held_.size() - past;  // sentinels follow
    std::size_t at = start + (b[start] == '-' || b[start] == '+');
    if (b[at] == '0' && is_digit(b[at + 1])) {
        const std::size_t limit = std::min(size, at + reach - past);
        while (at < limit && is_digit(b[at])) ++at;
        if (ends_cell(b[at])) mark_odd();
    }
    for (std::uint64_t left = begins_[b[start]] & ~found; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        const std::string& text = spellings_[k];
        if (std::memcmp(b + start, text.data(), text.size()) == 0 &&
            ends_cell(b[start + text.size()]))
            found |= std::uint64_t{1} << k;
    }
}

bool TextCensus::ends_cell(std::uint8_t byte) const {
    return byte == delimiter_ || byte == '\n' || byte == '\r' || byte == '"';
}

}  // namespace stylobate::scan
