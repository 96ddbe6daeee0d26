// How many different values: HyperLogLog over 64-bit hashes.
//
// Register i holds the longest run of leading zeros (plus one) among hashes that begin with i. The
// estimate is Ertl's (2017), New cardinality estimation algorithms for HyperLogLog sketches, which
// needs no tables and holds from 0 to beyond 2^60; its standard error is 1.04 / √registers.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

class Distinct {
 public:
    static constexpr int default_bits = 16;

    explicit Distinct(int bits = default_bits);  // 2^bits registers, 4 ≤ bits ≤ 18

    void absorb(const std::uint64_t* hashes, Index n);
    void merge(const Distinct& other);
    double estimate() const;

    int bits() const { return bits_; }
    // Empty until the first hash.
    const std::vector<std::uint8_t>& registers() const { return registers_; }
    static Distinct restored(int bits, const std::uint8_t* registers, Index size);

 private:
    int bits_;
    std::vector<std::uint8_t> registers_;
};

}  // namespace stylobate::scan
