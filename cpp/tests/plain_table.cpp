#include "scan/plain_table.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "check.hpp"
#include "scan/plain_cells.hpp"

namespace stylobate {
namespace {

using scan::PlainType;

// A file that goes when it is no longer needed.
struct File {
    explicit File(const std::string& text) : size(text.size()) {
        const auto unique = std::to_string(reinterpret_cast<std::uintptr_t>(this));
        name = std::filesystem::temp_directory_path() / ("stylobate-plain-" + unique);
        std::ofstream(name, std::ios::binary) << text;
    }
    ~File() { std::remove(name.c_str()); }
    std::string name;
    std::size_t size;
};

scan::PlainSource source_of(const File& file) {
    scan::PlainSource out;
    out.path = file.name;
    out.end = file.size;
    out.columns = {{PlainType::whole}, {PlainType::real}, {PlainType::text}};
    out.missing = {"NA", "-99"};
    out.blanks = {"", "-"};
    return out;
}

TEST(plain_tables_do_not_depend_on_the_chunks) {
    std::string text;
    for (int i = 0; i < 200; ++i)
        text += std::to_string(i) + (i % 3 == 0 ? ",NA," : ",\"-0.5\",") +
                (i % 5 == 0 ? " - " : "\"a \"\"\xC3\xA9\"\"\"") + "\n";
    const File file(text + "7,,");
    for (const std::uint64_t chunk : {16u, 61u, 1000u, 1u << 20}) {
        scan::PlainTable table(source_of(file), chunk);
        std::int64_t rows = 0, sum = 0, missing = 0, blanks = 0, spelled = 0;
        std::string texts;
        for (const auto& part : table.read(0, table.n_chunks())) {
            rows += part.rows;
            for (const std::int64_t each : part.columns[0].wholes) sum += each;
            missing += part.columns[1].missing + part.columns[2].missing;
            blanks += part.columns[2].blanks;
            if (!part.spelled.empty()) spelled += part.spelled[0];
            texts.append(part.columns[2].bytes.data(), part.columns[2].bytes.size());
        }
        CHECK(rows == 201 && sum == 199 * 100 + 7);
        CHECK(missing == 67 + 2 && spelled == 67 && blanks == 40);
        CHECK(texts.size() == 40 * 3 + 160 * 6);
    }
}

TEST(plain_tables_leave_what_is_in_doubt) {
    const char* const lines[] = {"1,2",      "1,2,3,4", "x,2,a",  "1,2,\"a", "1,2,a\"b",
                                 "1,2,\xE9", "1.5,2,a", "01,2,a", "1,2 ,a",  "1,\"2\"3,a"};
    for (const char* line : lines) {
        const File file(std::string("1,2,a\n") + line + "\n1,2,b\n");
        scan::PlainTable table(source_of(file));
        CHECK(table.read(0, table.n_chunks()).empty());
    }
}

TEST(plain_tables_leave_lines_without_end) {
    const File file("1,2," + std::string(6 << 20, 'x') + "\n1,2,a\n");
    scan::PlainTable table(source_of(file), 4096);
    CHECK(table.read(0, table.n_chunks()).empty());
}

TEST(plain_cells_are_exact) {
    double real = 0.0;
    CHECK(scan::read_real("0.1,", real) != nullptr && real == 0.1);
    CHECK(scan::read_real("-123456.78901234567890123\n", real) != nullptr);
    CHECK(real == -123456.78901234567890123);
    CHECK(scan::read_real("2.2250738585072011e-308,", real) != nullptr);
    CHECK(real == 2.2250738585072011e-308);
    for (const char* bad : {",", "-,", ".,", "e5,", "1e,", "1e999,", "00,", "9007199254740992,"})
        CHECK(scan::read_real(bad, real) == nullptr);
    std::int32_t day = 0;
    CHECK(scan::read_day("1970-01-01\n", day) != nullptr && day == 0);
    CHECK(scan::read_day("2000-03-01\n", day) != nullptr && day == 11017);
    CHECK(scan::read_day("0001-01-01\n", day) != nullptr && day == -719162);
    for (const char* bad : {"\n", "1970\n", "1970-1-1\n", "1970-02-29\n", "2000-00-01\n"})
        CHECK(scan::read_day(bad, day) == nullptr);
    std::int64_t moment = 0;
    CHECK(scan::read_moment("1970-01-02T00:00:01.25,", 'T', true, moment) != nullptr);
    CHECK(moment == 86401250000);
    for (const char* bad : {"1970-01-02 24:00:00\n", "1970-01-02 1:00:00\n", "1970-01-02\n"})
        CHECK(scan::read_moment(bad, ' ', false, moment) == nullptr);
}

}  // namespace
}  // namespace stylobate
