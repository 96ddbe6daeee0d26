#include "scan/column_codes.hpp"

#include <limits>
#include <vector>

#include "check.hpp"
#include "stylobate/errors.hpp"

namespace stylobate {
namespace {

using Wholes = std::vector<std::int64_t>;

TEST(codes_are_places_among_the_values_in_order) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double reals[] = {2.5, nan, -1.0, 0.0, -0.0, 2.5};
    const auto of_reals = scan::ordered_codes(reals, 6);
    CHECK((of_reals.codes == Wholes{2, -1, 0, 1, 1, 2}));
    CHECK(of_reals.first.size() == 3 && reals[of_reals.first[0]] == -1.0);
    const auto lowest = std::numeric_limits<std::int64_t>::min();
    const std::int64_t wholes[] = {7, lowest, -7, 7};
    CHECK((scan::ordered_codes(wholes, 4).codes == Wholes{1, -1, 0, 1}));
    CHECK(scan::ordered_codes(wholes, 0).first.empty());
}

TEST(codes_of_texts_follow_their_bytes) {
    const scan::Text texts[] = {{"prefixed b", 10}, {nullptr, 0},       {"", 0},
                                {"prefixed a", 10}, {"prefixed b", 10}, {"\xC3\xA9", 2}};
    const auto found = scan::ordered_codes(texts, 6);
    CHECK((found.codes == Wholes{2, -1, 0, 1, 2, 3}));
    CHECK((found.first == Wholes{2, 3, 0, 5}));
}

TEST(ranks_of_some_rows_share_ties) {
    const std::int64_t places[] = {2, 0, -1, 2, 1};
    const std::uint8_t rows[] = {1, 1, 0, 1, 1};
    double ranks[4];
    scan::centred_ranks(places, rows, 5, 3, ranks);
    CHECK(ranks[0] == 1.0 && ranks[1] == -1.5 && ranks[2] == 1.0 && ranks[3] == -0.5);
    const std::uint8_t all[] = {1, 1, 1, 1, 1};
    double more[5];
    CHECK_THROWS(InvalidArgument, scan::centred_ranks(places, all, 5, 3, more));
}

}  // namespace
}  // namespace stylobate
