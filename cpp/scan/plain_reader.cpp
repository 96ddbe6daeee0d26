#include "scan/plain_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "scan/plain_cells.hpp"
#include "scan/utf8.hpp"

namespace stylobate::scan {
namespace {

const std::uint8_t* bytes(const char* at) {
    return reinterpret_cast<const std::uint8_t*>(at);
}

// Without blanks, tabs and no-break spaces at both ends.
std::string_view trimmed(std::string_view text) {
    constexpr std::string_view wide = "\xC2\xA0";
    while (!text.empty()) {
        if (text.front() == ' ' || text.front() == '\t')
            text.remove_prefix(1);
        else if (text.starts_with(wide))
            text.remove_prefix(2);
        else
            break;
    }
    while (!text.empty()) {
        if (text.back() == ' ' || text.back() == '\t')
            text.remove_suffix(1);
        else if (text.ends_with(wide))
            text.remove_suffix(2);
        else
            break;
    }
    return text;
}

}  // namespace

PlainReader::PlainReader(const PlainTable& table, PlainTable::Scratch& scratch, PlainChunk& out)
    : table_(table), scratch_(scratch), out_(out), delimiter_(table.source_.delimiter) {}

void PlainReader::prepare(Index lines) {
    const auto n = static_cast<std::size_t>(lines);
    const std::size_t width = table_.source_.columns.size();
    out_.columns.resize(width);
    out_.spelled.assign(table_.source_.missing.size(), 0);
    scratch_.texts.resize(width);
    for (std::size_t j = 0; j < width; ++j) {
        PlainColumn& column = out_.columns[j];
        switch (table_.source_.columns[j].type) {
            case PlainType::text:
                column.days.resize(n + 1);
                scratch_.texts[j].clear();
                break;
            case PlainType::real:
                column.reals.resize(n);
                break;
            case PlainType::day:
                column.days.resize(n);
                break;
            default:
                column.wholes.resize(n);
        }
    }
}

void PlainReader::finish() {
    out_.rows = row_;
    for (std::size_t j = 0; j < out_.columns.size(); ++j)
        out_.columns[j].bytes.assign(scratch_.texts[j].begin(), scratch_.texts[j].end());
}

bool PlainReader::read(const char* at, const char* end) {
    prepare(std::count(at, end, '\n'));
    while (at != nullptr && at < end) {
        const char* const begin = at;
        at = read_line(at);
        if (at != nullptr) out_.longest_line = std::max<Index>(out_.longest_line, at - begin);
    }
    finish();
    return at != nullptr;
}

const char* PlainReader::read_line(const char* at) {
    const std::size_t width = out_.columns.size();
    for (std::size_t j = 0; j < width; ++j) {
        at = read_cell(j, at);
        if (at == nullptr) return nullptr;
        if (j + 1 < width && *at++ != delimiter_) return nullptr;
    }
    if (table_.source_.returns && *at++ != '\r') return nullptr;
    if (*at != '\n') return nullptr;
    ++row_;
    return at + 1;
}

const char* PlainReader::read_cell(std::size_t column, const char* at) {
    if (*at == '"') return read_quoted(column, at);
    if (ends_cell(*at)) {
        miss(column);
        return at;
    }
    if (table_.begins_[*bytes(at)] != 0)
        if (const Index k = spelling(at); k >= 0) {
            ++out_.spelled[static_cast<std::size_t>(k)];
            miss(column);
            return at + table_.source_.missing[static_cast<std::size_t>(k)].size();
        }
    at = read_value(column, at);
    return at != nullptr && ends_cell(*at) ? at : nullptr;
}

// A cell within quotes counts as what is within; two quotes are one.
const char* PlainReader::read_quoted(std::size_t column, const char* at) {
    std::string& cell = scratch_.cell;
    cell.clear();
    for (++at;; ++at) {
        if (*at == '\n' || *at == '\r' || *at == '\0') return nullptr;
        if (*at == '"' && *++at != '"') break;
        cell.push_back(*at);
    }
    if (!ends_cell(*at)) return nullptr;
    if (table_.source_.columns[column].type == PlainType::text)
        return put_quoted(column) ? at : nullptr;
    const std::size_t size = cell.size();
    cell.append(64, '\n');  // as behind a line, so that values end
    const char* const within = cell.data();
    return *within != '"' && read_cell(column, within) == within + size ? at : nullptr;
}

// The text that was within quotes; false if it is no UTF-8.
bool PlainReader::put_quoted(std::size_t column) {
    const std::string& cell = scratch_.cell;
    const auto& missing = table_.source_.missing;
    const auto known = std::find(missing.begin(), missing.end(), cell);
    if (known != missing.end()) ++out_.spelled[static_cast<std::size_t>(known - missing.begin())];
    if (known != missing.end() || cell.empty()) {
        miss(column);
        return true;
    }
    for (std::size_t i = 0, length = 0; i < cell.size(); i += length) {
        const bool plain = static_cast<unsigned char>(cell[i]) < 128;
        length = plain ? 1 : letter_length(bytes(cell.data()) + i, cell.size() - i);
        if (length == 0) return false;
    }
    put_text(column, cell.data(), cell.data() + cell.size());
    return true;
}

void PlainReader::put_text(std::size_t column, const char* first, const char* last) {
    std::vector<char>& texts = scratch_.texts[column];
    texts.insert(texts.end(), first, last);
    out_.columns[column].days[static_cast<std::size_t>(row_) + 1] =
        static_cast<std::int32_t>(texts.size());
    count_blank(column, first, last);
}

const char* PlainReader::read_value(std::size_t column, const char* at) {
    const PlainFormat& format = table_.source_.columns[column];
    PlainColumn& out = out_.columns[column];
    const auto row = static_cast<std::size_t>(row_);
    switch (format.type) {
        case PlainType::real:
            return read_real(at, out.reals[row]);
        case PlainType::whole:
            return read_whole(at, out.wholes[row]);
        case PlainType::day:
            return read_day(at, out.days[row]);
        case PlainType::moment:
            return read_moment(at, format.between, format.fraction, out.wholes[row]);
        default:
            return read_text(column, at);
    }
}

const char* PlainReader::read_text(std::size_t column, const char* at) {
    const char* const first = at;
    for (;;) {
        const std::uint8_t meaning = table_.classes_[*bytes(at)];
        if (meaning == nothing) {
            ++at;
        } else if (meaning == letter) {
            const std::size_t length = letter_length(bytes(at), 4);  // line ends follow the last
            if (length == 0) return nullptr;
            at += length;
        } else {
            break;
        }
    }
    put_text(column, first, at);
    return at;
}

Index PlainReader::spelling(const char* at) const {
    for (std::uint64_t left = table_.begins_[*bytes(at)]; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        const std::string& text = table_.source_.missing[k];
        if (std::memcmp(at, text.data(), text.size()) == 0 && ends_cell(at[text.size()]))
            return static_cast<Index>(k);
    }
    return -1;
}

void PlainReader::miss(std::size_t column) {
    PlainColumn& out = out_.columns[column];
    const auto row = static_cast<std::size_t>(row_);
    const PlainType type = table_.source_.columns[column].type;
    if (out.missing++ == 0) {
        const std::size_t n = type == PlainType::real   ? out.reals.size()
                              : type == PlainType::text ? out.days.size() - 1
                              : type == PlainType::day  ? out.days.size()
                                                        : out.wholes.size();
        out.validity.assign((n + 7) / 8, 0xFF);
    }
    out.validity[row / 8] &= static_cast<std::uint8_t>(~(1u << (row % 8)));
    if (type == PlainType::text)
        out.days[row + 1] = static_cast<std::int32_t>(scratch_.texts[column].size());
}

void PlainReader::count_blank(std::size_t column, const char* first, const char* last) {
    if (first == last || !table_.may_be_blank_[*bytes(first)]) return;
    const std::string_view text = trimmed({first, static_cast<std::size_t>(last - first)});
    const auto& blanks = table_.source_.blanks;
    if (std::find(blanks.begin(), blanks.end(), text) != blanks.end())
        ++out_.columns[column].blanks;
}

}  // namespace stylobate::scan
