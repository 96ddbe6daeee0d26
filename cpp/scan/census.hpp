// What the bytes of a text file of cells hold, found in one pass: line ends, the longest line,
// bytes that are no UTF-8, and cells that a cast to numbers would swallow without a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stylobate::scan {

class TextCensus {
 public:
    // At most 64 spellings, each of 1 to 15 bytes, that begin with N, n or a mark.
    TextCensus(std::uint8_t delimiter, std::vector<std::string> spellings);

    // Blocks in order; after the last one nothing more may be added.
    void add(const std::uint8_t* bytes, std::size_t count, bool last);

    std::uint64_t bytes = 0, feeds = 0, returns = 0, pairs = 0;  // pairs: CR LF
    std::uint64_t quotes = 0;
    std::uint64_t zeros = 0, first_zero_line = 0;       // NUL bytes
    std::uint64_t invalid = 0, first_invalid_line = 0;  // bytes that are no UTF-8
    std::uint64_t longest_line = 0, current_line = 0;   // in bytes
    std::vector<std::uint64_t> odd_columns;  // those with cells such as 007 or 1_000, ascending
    bool open_quote = false;                 // after the last block: a quote never ended
    std::uint64_t found = 0;                 // bit k: spelling k is a cell somewhere

 private:
    static constexpr std::size_t reach = 64;  // bytes looked at beyond the one at hand
    static constexpr std::size_t past = 16;   // bytes kept before it, and line ends behind all

    void walk(std::size_t begin, std::size_t end);
    void meet(std::size_t at);
    void meet_quote(std::size_t at);
    void end_line(std::size_t at);
    void mark_odd();
    void count_columns(std::size_t until);
    void look_at_cell(std::size_t start);
    bool ends_cell(std::uint8_t byte) const;
    std::uint64_t line() const { return (feeds > 0 ? feeds : returns) + 1; }

    std::vector<std::string> spellings_;
    std::array<std::uint64_t, 256> begins_{};  // bit k: spelling k begins with the byte
    std::array<std::uint8_t, 256> classes_{};  // 0 for bytes that mean nothing by themselves
    std::vector<std::uint8_t> held_;           // some bytes of the past, then what is to be walked
    std::size_t next_ = past;                  // where to go on
    std::size_t line_start_ = 0, resume_ = 0;  // within what is held
    std::size_t counted_ = 0;                  // delimiters before here are in column_
    std::uint64_t column_ = 0;                 // of the cell at hand
    bool begun_ = false;
    std::uint8_t delimiter_;
};

}  // namespace stylobate::scan
