#include "scan/plain_cells.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace stylobate::scan {
namespace {

constexpr double exact_limit = 9007199254740992.0;  // 2^53
constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char byte) {
    return static_cast<unsigned char>(byte - '0') < 10;
}

const char* digits(const char* at, std::uint64_t& value) {
    for (; is_digit(*at); ++at) value = 10 * value + static_cast<std::uint64_t>(*at - '0');
    return at;
}

// The standard library's, correctly rounded; where it has none, everything is in doubt.
const char* read_by_library(const char* begin, const char* end, double& out) {
#ifdef __cpp_lib_to_chars
    const auto read = std::from_chars(begin, end, out);
    return read.ec == std::errc() && read.ptr == end ? end : nullptr;
#else
    static_cast<void>(begin), static_cast<void>(end), static_cast<void>(out);
    return nullptr;
#endif
}

// Two digits below `limit`.
bool pair(const char* at, int limit, int& out) {
    if (!is_digit(at[0]) || !is_digit(at[1])) return false;
    out = 10 * (at[0] - '0') + (at[1] - '0');
    return out < limit;
}

// Days since 1970 in the calendar of today, after Hinnant's days_from_civil.
std::int32_t days_since_1970(int year, int month, int day) {
    const int y = year - (month <= 2 ? 1 : 0);
    const int era = y / 400, of_era = y - 400 * era;
    const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int days_of_month(int year, int month) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

}  // namespace

// A number of at most 15 digits, or below 2^53, is one division of exact doubles (Clinger 1990).
const char* read_real(const char* at, double& out) {
    const char* const begin = at;
    const bool negative = *at == '-';
    at += negative;
    const char* const first = at;
    std::uint64_t value = 0;
    at = digits(at, value);
    const auto whole = at - first;
    if (whole > 1 && *first == '0') return nullptr;  // a code
    std::ptrdiff_t fraction = 0;
    if (*at == '.') {
        const char* const dot = at + 1;
        at = digits(dot, value);
        fraction = at - dot;
    }
    if (whole + fraction == 0) return nullptr;
    if (*at == 'e' || *at == 'E') {
        ++at;
        at += *at == '-' || *at == '+';
        if (!is_digit(*at)) return nullptr;
        while (is_digit(*at)) ++at;
    } else if (whole + fraction <= 19 && value < static_cast<std::uint64_t>(exact_limit)) {
        const double size = static_cast<double>(value) / powers[fraction];
        out = negative ? -size : size;
        return at;
    }
    if (read_by_library(begin, at, out) == nullptr) return nullptr;
    return std::fabs(out) < exact_limit ? at : nullptr;
}

const char* read_whole(const char* at, std::int64_t& out) {
    double value = 0.0;
    at = read_real(at, value);
    if (at == nullptr || value != std::trunc(value)) return nullptr;
    out = static_cast<std::int64_t>(value);
    return at;
}

const char* read_day(const char* at, std::int32_t& out) {
    int century = 0, year = 0, month = 0, day = 0;
    if (!pair(at, 100, century) || !pair(at + 2, 100, year) || at[4] != '-') return nullptr;
    if (!pair(at + 5, 13, month) || at[7] != '-' || !pair(at + 8, 32, day)) return nullptr;
    year += 100 * century;
    if (year == 0 || month == 0 || day == 0 || day > days_of_month(year, month)) return nullptr;
    out = days_since_1970(year, month, day);
    return at + 10;
}

const char* read_moment(const char* at, char between, bool fraction, std::int64_t& out) {
    std::int32_t day = 0;
    int hour = 0, minute = 0, second = 0;
    at = read_day(at, day);
    if (at == nullptr || *at != between || !pair(at + 1, 24, hour) || at[3] != ':') return nullptr;
    if (!pair(at + 4, 60, minute) || at[6] != ':' || !pair(at + 7, 60, second)) return nullptr;
    at += 9;
    std::uint64_t part = 0;
    if (fraction) {
        if (*at != '.') return nullptr;
        const char* const dot = at + 1;
        at = digits(dot, part);
        if (at == dot || at - dot > 6) return nullptr;
        for (auto places = at - dot; places < 6; ++places) part *= 10;
    }
    const std::int64_t seconds = ((std::int64_t{day} * 24 + hour) * 60 + minute) * 60 + second;
    out = seconds * 1000000 + static_cast<std::int64_t>(part);
    return at;
}

}  // namespace stylobate::scan
