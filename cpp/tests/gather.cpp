#include "scan/gather.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"
#include "stylobate/errors.hpp"

namespace {

using namespace stylobate;

TEST(gathered_rows_are_those_of_their_places) {
    for (const Index cols : {1, 3, 8, 11}) {
        const Index rows = 50, n = 20'000;
        std::vector<double> values(static_cast<std::size_t>(rows * cols));
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k);
        std::vector<std::int64_t> places(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i) places[i] = (i * 37 + i / 11) % rows;
        std::vector<Index> where;
        for (Index j = 0; j < cols; ++j) where.push_back(cols - j);  // backwards, from row 1 on
        const Index stride = n + 5;
        std::vector<double> out(static_cast<std::size_t>((cols + 1) * stride), -1.0);
        scan::gather_rows({values.data(), rows, cols}, places.data(), n, where, out.data(), stride);
        for (Index j = 0; j < cols; ++j)
            for (Index i = 0; i < n; ++i)
                CHECK(out[where[j] * stride + i] == values[places[i] * cols + j]);
        CHECK(out[0] == -1.0 && out[stride - 1] == -1.0);
    }
}

TEST(gathered_places_outside_of_the_table_are_refused) {
    const std::vector<double> values(4);
    double out[1];
    for (const std::int64_t place : {-1, 4}) {
        bool refused = false;
        try {
            scan::gather_rows({values.data(), 4, 1}, &place, 1, {0}, out, 1);
        } catch (const InvalidArgument&) {
            refused = true;
        }
        CHECK(refused);
    }
}

}  // namespace
