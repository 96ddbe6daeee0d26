// A text table that is plain in every cell, parsed from the file on all threads.
//
// The file is cut into chunks of fixed size; a line belongs to the chunk in which it begins. A line
// in which anything is in doubt (another number of cells, a cell that is not written as its type
// asks, a quote that does not end, a byte that is no UTF-8) puts the whole table in doubt: the
// caller then reads it another way. So a line end within quotes cannot mislead a chunk that begins
// behind it: the line in which the quote begins is in doubt.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

enum class PlainType : std::uint8_t { text, real, whole, day, moment };

struct PlainFormat {
    PlainType type = PlainType::text;
    char between = ' ';     // day and time of a moment
    bool fraction = false;  // of its seconds
};

struct PlainSource {
    std::string path;
    std::uint64_t begin = 0, end = 0;  // bytes of the rows, and of the file
    char delimiter = ',';
    bool returns = false;  // lines end in CR LF
    std::vector<PlainFormat> columns;
    std::vector<std::string> missing;  // cells that stand for none, besides empty ones
    std::vector<std::string> blanks;   // texts that may do so: they are counted
};

// The cells of a chunk, as Arrow lays them out.
struct PlainColumn {
    std::vector<double> reals;
    std::vector<std::int64_t> wholes;  // moments too
    std::vector<std::int32_t> days;    // where texts begin, too
    std::vector<char> bytes;
    std::vector<std::uint8_t> validity;  // empty if every cell is there
    Index missing = 0;
    Index blanks = 0;
};

struct PlainChunk {
    std::vector<PlainColumn> columns;
    Index rows = 0;
    std::vector<std::int64_t> spelled;  // how often each missing spelling is met
    Index longest_line = 0;             // in bytes
};

class PlainTable {
 public:
    static constexpr std::uint64_t default_bytes = 8u << 20;

    explicit PlainTable(PlainSource source, std::uint64_t chunk_bytes = default_bytes);

    Index n_chunks() const { return n_chunks_; }
    const PlainSource& source() const { return source_; }

    // Chunks first … first + count − 1; none if one of them is in doubt.
    std::vector<PlainChunk> read(Index first, Index count);

 private:
    friend class PlainReader;
    struct Scratch {
        std::vector<char> buffer;
        std::vector<std::vector<char>> texts;  // of each column
        std::string cell;                      // without its quotes
    };
    bool fill(std::uint64_t chunk, std::vector<char>& buffer, Index& from, Index& to) const;
    bool read_chunk(std::uint64_t chunk, PlainChunk& out);
    std::unique_ptr<Scratch> borrow();
    void give_back(std::unique_ptr<Scratch> scratch);

    PlainSource source_;
    std::uint64_t chunk_bytes_;
    Index n_chunks_;
    std::array<std::uint8_t, 256> classes_{};  // bytes that mean something within a text
    std::array<std::uint64_t, 256> begins_{};  // bit k: missing spelling k begins with the byte
    std::array<bool, 256> may_be_blank_{};     // texts that begin so
    std::mutex mutex_;                         // of the scratch
    std::vector<std::unique_ptr<Scratch>> idle_;
};

}  // namespace stylobate::scan
