#include "scan/text_terms.hpp"

#include <bit>
#include <stdexcept>
#include <string>

namespace stylobate::scan {

std::uint32_t murmur3(const char* bytes, std::size_t n) {
    constexpr std::uint32_t c1 = 0xcc9e2d51u, c2 = 0x1b873593u;
    std::uint32_t hash = 0;
    const auto length = static_cast<std::uint32_t>(n);
    for (; n >= 4; n -= 4, bytes += 4) {
        std::uint32_t word;
        std::memcpy(&word, bytes, 4);
        hash ^= std::rotl(word * c1, 15) * c2;
        hash = std::rotl(hash, 13) * 5 + 0xe6546b64u;
    }
    std::uint32_t tail = 0;
    for (std::size_t k = n; k > 0; --k)
        tail = (tail << 8) | static_cast<std::uint8_t>(bytes[k - 1]);
    if (n > 0) hash ^= std::rotl(tail * c1, 15) * c2;
    hash ^= length;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    return hash ^ (hash >> 16);
}

std::uint32_t Terms::number_of(std::string_view term) {
    std::string padded(term);
    padded.append(term_padding, '\0');
    return number_of({padded.data(), term.size()}, term_hash(padded.data(), term.size()));
}

std::uint32_t Terms::add(std::string_view term, std::uint64_t hash, std::size_t slot) {
    constexpr std::uint32_t most = 0x7fffffffu;  // columns are numbered in 32 bits
    if (size() == most || term.size() > most) throw std::length_error("too many terms");
    const std::uint32_t number = size();
    slots_[slot] = {term_start(term.data(), term.size()), static_cast<std::uint32_t>(term.size()),
                    number};
    arena_.insert(arena_.end() - term_padding, term.begin(), term.end());
    begins_.push_back(arena_.size() - term_padding);
    hashes_.push_back(hash);
    if (3 * hashes_.size() > 2 * slots_.size()) grow();
    return number;
}

void Terms::grow() {
    std::vector<Slot> wider(2 * slots_.size(), empty);
    const std::size_t mask = wider.size() - 1;
    for (const Slot& slot : slots_) {
        if (slot.number == none) continue;
        std::size_t at = static_cast<std::size_t>(hashes_[slot.number] >> 20) & mask;
        while (wider[at].number != none) at = (at + 1) & mask;
        wider[at] = slot;
    }
    slots_ = std::move(wider);
}

}  // namespace stylobate::scan
