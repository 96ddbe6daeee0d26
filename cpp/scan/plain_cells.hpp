// Cells of a plain text table as values: only what is beyond doubt.
//
// Each function reads the value at the front of some bytes and gives where it ends, or null if it
// is written in any way that could be meant otherwise (a code such as 007, a blank, "inf"): the
// caller then has the file read with more care. Bytes must end in a byte that is no part of a
// value, such as the end of a line. Doubles are correctly rounded.
#pragma once

#include <cstdint>

namespace stylobate::scan {

const char* read_real(const char* at, double& out);
const char* read_whole(const char* at, std::int64_t& out);  // below 2^53, also written 5.0
const char* read_day(const char* at, std::int32_t& out);    // 2024-01-31, as days since 1970
// A day, the mark between, 23:59:59, and a fraction of up to six digits if there is one;
// microseconds since 1970.
const char* read_moment(const char* at, char between, bool fraction, std::int64_t& out);

}  // namespace stylobate::scan
