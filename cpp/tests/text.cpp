#include "scan/text.hpp"

#include <map>
#include <string>

#include "check.hpp"

namespace stylobate {
namespace {

// ASCII, and capital letters of Latin-1 and Greek.
scan::Alphabet alphabet() {
    scan::Alphabet out;
    out.kinds.assign(scan::code_points, 0);
    out.lower.resize(0x400);
    for (std::uint32_t c = 0; c < 0x400; ++c) {
        const bool digit = c >= '0' && c <= '9', capital = c >= 'A' && c <= 'Z';
        const bool letter = capital || (c >= 'a' && c <= 'z') || c >= 0xc0;
        if (digit || letter || c == '_') out.kinds[c] = scan::Alphabet::word;
        if (c == ' ' || (c >= 9 && c <= 13)) out.kinds[c] = scan::Alphabet::space;
        const bool wide = (c >= 0xc0 && c <= 0xde) || (c >= 0x391 && c <= 0x3a9);
        out.lower[c] = capital || wide ? c + 32 : c;
    }
    for (std::uint32_t c = 0x4e00; c < 0x9fff; ++c) out.kinds[c] = scan::Alphabet::word;
    out.kinds[0x1f600] = scan::Alphabet::word;
    out.lowered_kinds = out.kinds;
    return out;
}

const scan::Alphabet& letters() {
    static const scan::Alphabet known = alphabet();
    return known;
}

scan::Document document(const std::u32string& text) {
    return {text.data(), static_cast<Index>(text.size()), 4};
}
scan::Document document(const std::string& text) {
    return {text.data(), static_cast<Index>(text.size()), 1};
}

scan::Analysis analysis(scan::Unit unit, Index least, Index most) {
    scan::Analysis out;
    out.alphabet = &letters();
    out.unit = unit;
    out.least = least;
    out.most = most;
    return out;
}

template <class Text>
std::map<std::string, std::int64_t> terms_of(const Text& text, const scan::Analysis& how) {
    scan::TermCounter counter;
    const scan::Document one = document(text);
    counter.add(&one, 1, how);
    std::map<std::string, std::int64_t> out;
    for (std::uint32_t k = 0; k < counter.terms().size(); ++k)
        out[std::string(counter.terms()[k])] = counter.occurrences()[k];
    return out;
}

using Terms = std::map<std::string, std::int64_t>;

}  // namespace

TEST(words_are_runs_of_two_or_more) {
    const auto how = analysis(scan::Unit::words, 1, 1);
    CHECK(terms_of(std::string("The cat, THE hat_1 x"), how) ==
          (Terms{{"the", 2}, {"cat", 1}, {"hat_1", 1}}));
    CHECK(terms_of(std::string(""), how).empty());
    CHECK(terms_of(std::string("a b c"), how).empty());
    CHECK(terms_of(std::u32string(U"\u00c9T\u00c9 \u65e5\u672c \U0001f600\U0001f600"), how) ==
          (Terms{{"\u00e9t\u00e9", 1}, {"\u65e5\u672c", 1}, {"\U0001f600\U0001f600", 1}}));
}

TEST(words_of_one_byte_characters_of_any_length) {
    const auto how = analysis(scan::Unit::words, 1, 1);
    for (const std::size_t length : {2u, 7u, 8u, 9u, 16u, 1023u, 1024u, 1025u, 5000u}) {
        const std::string word(length, 'Q'), lower(length, 'q');
        const std::vector<char> exact(word.begin(), word.end());  // nothing readable behind it
        scan::TermCounter counter;
        const scan::Document one{exact.data(), static_cast<Index>(length), 1};
        counter.add(&one, 1, how);
        CHECK(counter.terms().size() == 1 && counter.terms()[0] == lower);
        CHECK(terms_of(word + "\xc9" + word + " " + word, how) ==
              (Terms{{lower + "\u00e9" + lower, 1}, {lower, 1}}));
    }
}

TEST(words_in_a_row_have_single_spaces_between) {
    auto how = analysis(scan::Unit::words, 1, 2);
    scan::Terms stops;
    stops.number_of("the");
    how.stop_words = &stops;
    CHECK(terms_of(std::string("big  cat; the big cat"), how) ==
          (Terms{{"big", 2}, {"cat", 2}, {"big cat", 2}, {"cat big", 1}}));
}

TEST(characters_in_a_row) {
    CHECK(terms_of(std::string("ab \t b"), analysis(scan::Unit::characters, 1, 2)) ==
          (Terms{{"a", 1}, {"b", 2}, {" ", 1}, {"ab", 1}, {"b ", 1}, {" b", 1}}));
    CHECK(terms_of(std::string("ab c"), analysis(scan::Unit::characters_in_words, 3, 4)) ==
          (Terms{{" ab", 1}, {"ab ", 1}, {" ab ", 1}, {" c ", 1}}));
}

TEST(long_texts_pass_through_a_small_buffer) {
    std::string text;
    for (int k = 0; k < 60000; ++k) text += "w" + std::to_string(k % 7) + " ";
    const auto found = terms_of(text, analysis(scan::Unit::words, 1, 3));
    std::int64_t total = 0;
    for (const auto& [term, count] : found) total += count;
    CHECK(total == 60000 + 59999 + 59998 && found.size() == 21);
    const std::string word(3000000, 'A');
    CHECK(terms_of(word, analysis(scan::Unit::words, 1, 2)) ==
          (Terms{{std::string(3000000, 'a'), 1}}));
}

TEST(many_documents_are_counted_as_one_by_one) {
    std::vector<std::string> texts;
    for (int d = 0; d < 10000; ++d)
        texts.push_back("all word" + std::to_string(d % 977) + " word" + std::to_string(d % 5));
    std::vector<scan::Document> documents;
    for (const std::string& text : texts) documents.push_back(document(text));
    const auto how = analysis(scan::Unit::words, 1, 1);
    scan::TermCounter counter;
    counter.add(documents.data(), 10000, how);
    const auto order = counter.sorted();
    CHECK(counter.terms()[order[0]] == "all" && order.size() == 978);
    for (std::size_t k = 1; k < order.size(); ++k)
        CHECK(counter.terms()[order[k - 1]] < counter.terms()[order[k]]);
    CHECK(counter.documents_with()[order[0]] == 10000);
    std::vector<std::uint32_t> place(order.size(), scan::no_column);
    for (std::size_t k = 1; k < order.size(); ++k)
        place[order[k]] = static_cast<std::uint32_t>(k - 1);  // "all" is left out
    const auto matrix = scan::assembled<double, std::int32_t>(counter.parts(), place.data(), false);
    CHECK(matrix.offsets.size() == 10001);
    scan::Terms known;
    for (std::size_t k = 1; k < order.size(); ++k)
        known.number_of(counter.terms()[order[k]], counter.terms().hash(order[k]));
    const auto again = scan::assembled<double, std::int32_t>(
        scan::count_known(known, documents.data(), 10000, how), nullptr, false);
    CHECK(again.offsets == matrix.offsets);
    for (Index e = 0; e < matrix.offsets.back(); ++e)
        CHECK(again.columns[e] == matrix.columns[e] && again.values[e] == matrix.values[e]);
}

TEST(murmur_has_its_published_values) {
    CHECK(scan::murmur3("", 0) == 0u);
    CHECK(scan::murmur3("test", 4) == 0xba6bd213u);
    CHECK(scan::murmur3("Hello, world!", 13) == 0xc0363e43u);
    CHECK(scan::murmur3("The quick brown fox jumps over the lazy dog", 43) == 0x2e4ff723u);
}

TEST(rows_are_weighed) {
    const std::int32_t offsets[] = {0, 2, 2, 3}, columns[] = {0, 1, 1};
    double values[] = {3.0, 4.0, 5.0};
    const double idf[] = {1.0, 1.0};
    scan::weigh_rows(offsets, columns, values, 3, idf, false, scan::RowNorm::l2);
    CHECK_CLOSE(values[0], 0.6, 1e-15);
    CHECK_CLOSE(values[1], 0.8, 1e-15);
    CHECK_CLOSE(values[2], 1.0, 1e-15);
}

}  // namespace stylobate
