#include "scan/finite.hpp"

#include <limits>

#include "check.hpp"
#include "reference.hpp"

namespace stylobate {
namespace {

using namespace tests;

template <class T>
void check_every_position(Index rows, Index cols, Layout layout) {
    Matrix<T> x = random_matrix<T>(rows, cols, layout, 41);
    CHECK(!scan::first_nonfinite(x.view));
    using Limits = std::numeric_limits<T>;
    const T kinds[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()};
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) {
            const T before = x.at(i, j);
            x.at(i, j) = kinds[(i + j) % 3];
            const auto found = scan::first_nonfinite(x.view);
            CHECK(found && *found == std::pair(i, j));
            x.at(i, j) = before;
        }
}

}  // namespace

TEST(first_nonfinite_in_every_position) {
    for (const Layout layout : layouts)
        for (const Index cols : {1, 2, 7, 8, 9, 20}) {
            check_every_position<double>(6, cols, layout);
            check_every_position<float>(5, cols, layout);
        }
}

TEST(first_nonfinite_is_the_first_row_by_row) {
    for (const Layout layout : layouts) {
        Matrix<double> x = random_matrix<double>(70000, 3, layout, 42);  // several chunks
        const double nan = std::numeric_limits<double>::quiet_NaN();
        x.at(69999, 0) = x.at(40000, 2) = x.at(40001, 0) = nan;
        CHECK(scan::first_nonfinite(x.view) == std::pair(Index{40000}, Index{2}));
    }
}

TEST(the_largest_and_smallest_numbers_are_finite) {
    using Limits = std::numeric_limits<double>;
    const double x[] = {Limits::max(), Limits::lowest(), Limits::denorm_min(), -0.0};
    CHECK(!scan::first_nonfinite<double>({x, 2, 2, 2, 1}));
    CHECK(!scan::first_nonfinite<double>({nullptr, 0, 4, 4, 1}));
    CHECK(!scan::first_nonfinite<double>({nullptr, 4, 0, 0, 1}));
    CHECK(!scan::first_nonfinite<double>({x, 1000, 4, 0, 1}));
}

}  // namespace stylobate
