#include "scan/sketch_distinct.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

constexpr int least_bits = 4, most_bits = 18;

// x + Σ x^(2^k) 2^(k−1): registers that are still 0.
double sigma(double x) {
    if (x == 1.0) return HUGE_VAL;
    double power = 1.0, sum = x, before = -1.0;
    while (sum != before) {
        x *= x;
        before = sum;
        sum += x * power;
        power += power;
    }
    return sum;
}

// (1 − x − Σ (1 − x^(2^−k))² 2^−k) / 3: registers that are full.
double tau(double x) {
    if (x == 0.0 || x == 1.0) return 0.0;
    double power = 1.0, sum = 1.0 - x, before = -1.0;
    while (sum != before) {
        x = std::sqrt(x);
        before = sum;
        power *= 0.5;
        sum -= (1.0 - x) * (1.0 - x) * power;
    }
    return sum / 3.0;
}

}  // namespace

Distinct::Distinct(int bits) : bits_(bits) {
    if (bits < least_bits || bits > most_bits)
        throw InvalidArgument("the bits of a distinct count must be in [4, 18]");
}

void Distinct::absorb(const std::uint64_t* hashes, Index n) {
    if (n > 0 && registers_.empty()) registers_.resize(std::size_t{1} << bits_);
    const std::uint64_t guard = std::uint64_t{1} << (bits_ - 1);  // bounds the run of zeros
    for (Index i = 0; i < n; ++i) {
        const std::uint64_t hash = hashes[i];
        std::uint8_t& place = registers_[hash >> (64 - bits_)];
        const auto run = static_cast<std::uint8_t>(std::countl_zero(hash << bits_ | guard) + 1);
        place = std::max(place, run);
    }
}

void Distinct::merge(const Distinct& other) {
    if (bits_ != other.bits_)
        throw InvalidArgument("distinct counts of different precision do not merge");
    if (registers_.empty()) registers_ = other.registers_;
    for (std::size_t i = 0; i < other.registers_.size(); ++i)
        registers_[i] = std::max(registers_[i], other.registers_[i]);
}

double Distinct::estimate() const {
    if (registers_.empty()) return 0.0;
    const int longest = 64 - bits_;
    std::int64_t counts[66] = {};
    for (const std::uint8_t each : registers_) ++counts[each];
    const auto m = static_cast<double>(registers_.size());
    double z = m * tau(1.0 - static_cast<double>(counts[longest + 1]) / m);
    for (int run = longest; run >= 1; --run) z = 0.5 * (z + static_cast<double>(counts[run]));
    z += m * sigma(static_cast<double>(counts[0]) / m);
    return m * m / (2.0 * std::log(2.0) * z);
}

Distinct Distinct::restored(int bits, const std::uint8_t* registers, Index size) {
    Distinct out(bits);
    if (size == 0) return out;
    const auto most = static_cast<std::uint8_t>(65 - bits);
    if (size != Index{1} << bits ||
        std::any_of(registers, registers + size, [&](std::uint8_t each) { return each > most; }))
        throw InvalidArgument("these are not the registers of a distinct count");
    out.registers_.assign(registers, registers + size);
    return out;
}

}  // namespace stylobate::scan
