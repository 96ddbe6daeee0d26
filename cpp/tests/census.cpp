#include "scan/census.hpp"

#include <algorithm>
#include <string>

#include "check.hpp"

namespace stylobate {
namespace {

scan::TextCensus census_of(const std::string& text, std::size_t block) {
    scan::TextCensus census(',', {"NA", "N/A", "nan", "-"});
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t at = 0; at < text.size(); at += block)
        census.add(bytes + at, std::min(block, text.size() - at), false);
    census.add(bytes, 0, true);
    return census;
}

TEST(census_does_not_depend_on_the_blocks) {
    std::string text = "NA,b_1,\"x\n007\"\r\nN/A,1_000,\xC3\xA9\n-5,nano,\xE9,0.5,00:10,-012\n";
    text += std::string("\0", 1) + "," + std::string(200, 'x') + "\r\nlast,01";
    for (std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{64}, text.size()}) {
        const auto census = census_of(text, block);
        CHECK(census.bytes == text.size());
        CHECK(census.feeds == 5 && census.returns == 2 && census.pairs == 2);
        CHECK(census.quotes == 2);
        CHECK(census.zeros == 1 && census.first_zero_line == 5);
        CHECK(census.invalid == 1 && census.first_invalid_line == 4);
        // 1_000 and 01, -012; neither 007 within a cell of text, b_1, 0.5 nor 00:10
        CHECK((census.odd_columns == std::vector<std::uint64_t>{1, 5}));
        CHECK(!census.open_quote);
        CHECK(census.found == 0b0011);
        CHECK(census.longest_line == 202);
    }
}

TEST(census_tells_utf8_from_what_only_looks_like_it) {
    const char* const good[] = {"\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"};
    for (const char* text : good) CHECK(census_of(text, 1).invalid == 0);
    const char* const bad[] = {"\xC0\x80", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                               "\x80",     "\xC3",         "\xFF"};
    for (const char* text : bad) CHECK(census_of(text, 1).invalid > 0);
}

}  // namespace
}  // namespace stylobate
