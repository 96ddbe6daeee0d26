#include "stylobate/extended.hpp"

#include <random>

#include "check.hpp"

namespace stylobate {
namespace {

// 113 bits: more than Extended's 106.
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Exact;
#else
typedef long double Exact;
#endif

Exact exact(Extended a) {
    return static_cast<Exact>(a.hi) + static_cast<Exact>(a.lo);
}
Exact absolute(Exact a) {
    return a < 0 ? -a : a;
}

class Numbers {
 public:
    double operator()() { return std::ldexp(mantissa_(engine_), exponent_(engine_)); }
    Extended extended() {
        const double hi = (*this)();
        return two_sum(hi, hi * mantissa_(engine_) * 0x1.0p-54);
    }

 private:
    std::mt19937_64 engine_{7};
    std::uniform_real_distribution<double> mantissa_{-1.0, 1.0};
    std::uniform_int_distribution<int> exponent_{-30, 30};
};

void check_relative(Extended got, Exact expected, Exact size) {
    CHECK(absolute(exact(got) - expected) <= size * static_cast<Exact>(0x1.0p-98));
}

}  // namespace

TEST(error_free_transformations_lose_nothing) {
    Numbers number;
    for (int trial = 0; trial < 20000; ++trial) {
        const double a = number(), b = number();
        const Extended sum = two_sum(a, b), product = two_product(a, b);
        CHECK(sum.hi == a + b && product.hi == a * b);
        CHECK(exact(sum) == static_cast<Exact>(a) + static_cast<Exact>(b));
        CHECK(exact(product) == static_cast<Exact>(a) * static_cast<Exact>(b));
        const double large = std::fabs(a) < std::fabs(b) ? b : a, small = a + b - large;
        const Extended quick = quick_two_sum(large, small);
        CHECK(exact(quick) == static_cast<Exact>(large) + static_cast<Exact>(small));
    }
}

TEST(extended_arithmetic_has_thirty_digits) {
    Numbers number;
    for (int trial = 0; trial < 20000; ++trial) {
        const Extended a = number.extended(), b = number.extended();
        const Exact x = exact(a), y = exact(b);
        check_relative(a + b, x + y, absolute(x + y));
        check_relative(a - b, x - y, absolute(x - y));
        check_relative(a * b, x * y, absolute(x * y));
        check_relative(a / b, x / y, absolute(x / y));
        const Extended root = square_root(a * a);
        check_relative(root * root, exact(a * a), exact(a * a));
    }
    CHECK(exact(square_root(Extended(0.0))) == 0);
    CHECK(exact(Extended(1.0) - Extended(1.0, 0x1.0p-80)) == static_cast<Exact>(-0x1.0p-80));
}

}  // namespace stylobate
