#include "scan/plain_table.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "scan/plain_reader.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr std::uint64_t longest_line = 1u << 20;  // bytes; what is longer is read with more care
constexpr std::size_t padding = 64;               // line ends behind the last line

std::uint8_t byte(char letter) {
    return static_cast<std::uint8_t>(letter);
}

}  // namespace

PlainTable::PlainTable(PlainSource source, std::uint64_t chunk_bytes)
    : source_(std::move(source)), chunk_bytes_(chunk_bytes) {
    if (source_.columns.size() < 2) throw InvalidArgument("a plain table has two columns or more");
    if (source_.missing.size() > 64) throw InvalidArgument("at most 64 spellings of missing cells");
    if (source_.begin > source_.end || chunk_bytes < 16)
        throw InvalidArgument("the bytes of the rows are not within the file");
    n_chunks_ = static_cast<Index>((source_.end - source_.begin + chunk_bytes - 1) / chunk_bytes);
    std::fill(classes_.begin() + 128, classes_.end(), PlainReader::letter);
    for (const char mark : {source_.delimiter, '\n', '\r', '"', '\0'})
        classes_[byte(mark)] = PlainReader::stop;
    for (std::size_t k = 0; k < source_.missing.size(); ++k) {
        const std::string& text = source_.missing[k];
        if (text.empty() || text.size() > padding / 2 ||
            text.find_first_of(std::string{source_.delimiter, '\n', '\r', '"'}) != text.npos)
            throw InvalidArgument("a spelling of missing cells must be one plain cell");
        begins_[byte(text[0])] |= std::uint64_t{1} << k;
    }
    for (const char mark : {' ', '\t', '\xC2'}) may_be_blank_[byte(mark)] = true;
    for (const std::string& text : source_.blanks)
        if (!text.empty()) may_be_blank_[byte(text[0])] = true;
}

std::unique_ptr<PlainTable::Scratch> PlainTable::borrow() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Scratch>();
    auto out = std::move(idle_.back());
    idle_.pop_back();
    return out;
}

void PlainTable::give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scratch));
}

// The lines of a chunk lie between `from` and `to`, with line ends behind. False: in doubt.
bool PlainTable::fill(std::uint64_t chunk, std::vector<char>& buffer, Index& from,
                      Index& to) const {
    const std::uint64_t low = source_.begin + chunk * chunk_bytes_;
    const std::uint64_t high = std::min(source_.end, low + chunk_bytes_);
    const std::uint64_t first = chunk == 0 ? low : low - 1;  // a line may have ended just before
    std::ifstream file;
    file.rdbuf()->pubsetbuf(nullptr, 0);
    file.open(source_.path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(first));
    // What the last line needs beyond the chunk is asked for in growing parts.
    std::uint64_t held = 0, beyond = 1u << 12;
    for (;; beyond *= 8) {
        const std::uint64_t last = std::min(source_.end, high + beyond);
        const std::uint64_t wanted = last - first;
        if (buffer.size() < wanted + 2 + padding) buffer.resize(wanted + 2 + padding);
        file.read(buffer.data() + held, static_cast<std::streamsize>(wanted - held));
        if (!file) return false;  // it has become shorter
        held = wanted;
        const char* const from_here = buffer.data() + (high - 1 - first);
        const auto* const found =
            static_cast<const char*>(std::memchr(from_here, '\n', held - (high - 1 - first)));
        if (found != nullptr) {
            to = found + 1 - buffer.data();
            break;
        }
        if (last == source_.end) {  // the last line has no end
            if (source_.returns) buffer[held++] = '\r';
            buffer[held++] = '\n';
            to = static_cast<Index>(held);
            break;
        }
        if (beyond > longest_line) return false;
    }
    from = 0;
    if (chunk > 0) {
        const auto* const found = static_cast<const char*>(
            std::memchr(buffer.data(), '\n', static_cast<std::size_t>(to)));
        from = found == nullptr ? to : found + 1 - buffer.data();
    }
    std::memset(buffer.data() + to, '\n', padding);
    return true;
}

bool PlainTable::read_chunk(std::uint64_t chunk, PlainChunk& out) {
    auto scratch = borrow();
    Index from = 0, to = 0;
    bool good = fill(chunk, scratch->buffer, from, to);
    if (good) {
        PlainReader reader(*this, *scratch, out);
        good = reader.read(scratch->buffer.data() + from, scratch->buffer.data() + to);
    }
    give_back(std::move(scratch));
    return good;
}

std::vector<PlainChunk> PlainTable::read(Index first, Index count) {
    if (first < 0 || count < 0 || first > n_chunks_ || count > n_chunks_ - first)
        throw InvalidArgument("there is no such chunk");
    std::vector<PlainChunk> out(static_cast<std::size_t>(count));
    std::atomic<bool> doubt = false;
    parallel_for(count, [&](Index k, Checkpoint& checkpoint) {
        checkpoint();
        if (!doubt && !read_chunk(static_cast<std::uint64_t>(first + k), out[k])) doubt = true;
    });
    if (doubt) out.clear();
    return out;
}

}  // namespace stylobate::scan
