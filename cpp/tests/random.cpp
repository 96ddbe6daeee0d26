#include "stylobate/random.hpp"

#include "check.hpp"

namespace stylobate {

TEST(philox_known_answers) {  // Random123, kat_vectors, philox4x64 10
    using Block = Philox::Block;
    constexpr std::uint64_t most = ~std::uint64_t{0};
    CHECK((Philox(0, 0)({0, 0, 0, 0}) ==
           Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
    CHECK((Philox(most, most)({most, most, most, most}) ==
           Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
    CHECK((Philox(0x452821e638d01377, 0xbe5466cf34e90c6c)(
               {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}) ==
           Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
}

TEST(streams_are_read_in_words) {
    const Philox random(3, 5);
    for (std::uint64_t block = 0; block < 10; ++block)
        for (std::uint64_t lane = 0; lane < 4; ++lane)
            CHECK(random.word(4 * block + lane) == random({block, 0, 0, 0})[lane]);
    CHECK(random.word(0) != Philox(3, 6).word(0) && random.word(0) != Philox(4, 5).word(0));
}

TEST(uniform_numbers_fill_the_unit_interval) {
    const Philox random(1, 2);
    constexpr int n = 20000;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) {
        const double u = random.uniform(i);
        CHECK(u >= 0.0 && u < 1.0);
        sum += u, squares += u * u;
    }
    CHECK_CLOSE(sum / n, 1.0 / 2.0, 0.01);  // five standard errors
    CHECK_CLOSE(squares / n, 1.0 / 3.0, 0.011);
}

}  // namespace stylobate
