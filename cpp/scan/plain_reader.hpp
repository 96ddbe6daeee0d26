// The rows of one chunk of a plain table, cell by cell.
#pragma once

#include "scan/plain_table.hpp"

namespace stylobate::scan {

class PlainReader {
 public:
    enum : std::uint8_t { nothing, stop, letter };  // what a byte within a text means

    PlainReader(const PlainTable& table, PlainTable::Scratch& scratch, PlainChunk& out);

    // Lines between `at` and `end`, each with its end; false if one is in doubt.
    bool read(const char* at, const char* end);

 private:
    const char* read_line(const char* at);
    const char* read_cell(std::size_t column, const char* at);
    const char* read_quoted(std::size_t column, const char* at);
    const char* read_value(std::size_t column, const char* at);
    const char* read_text(std::size_t column, const char* at);
    bool put_quoted(std::size_t column);
    void put_text(std::size_t column, const char* first, const char* last);
    // The missing spelling that is the whole cell, or −1.
    Index spelling(const char* at) const;
    void miss(std::size_t column);
    void count_blank(std::size_t column, const char* first, const char* last);
    bool ends_cell(char mark) const { return mark == delimiter_ || mark == '\n' || mark == '\r'; }
    void prepare(Index lines);
    void finish();

    const PlainTable& table_;
    PlainTable::Scratch& scratch_;
    PlainChunk& out_;
    char delimiter_;
    Index row_ = 0;
};

}  // namespace stylobate::scan
