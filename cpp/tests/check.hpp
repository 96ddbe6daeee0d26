// A test is a function that registers itself; a check that fails is reported and counted.
#pragma once

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace stylobate::tests {

struct Test {
    std::string name;
    void (*body)();
};

inline std::vector<Test>& registry() {
    static std::vector<Test> tests;
    return tests;
}

struct Registration {
    Registration(const char* name, void (*body)()) { registry().push_back({name, body}); }
};

inline int failed_checks = 0;  // of the test that runs; checks are made on its thread only

inline bool check(bool condition, const char* expression, const char* file, int line) {
    if (condition) return true;
    if (++failed_checks <= 5)
        std::cerr << file << ":" << line << ": not true: " << expression << "\n";
    return false;
}

inline void check_close(double got, double expected, double tolerance, const char* expression,
                        const char* file, int line) {
    if (!check(std::fabs(got - expected) <= tolerance, expression, file, line) &&
        failed_checks <= 5)
        std::cerr << "    got " << got << ", expected " << expected << " ± " << tolerance << "\n";
}

}  // namespace stylobate::tests

#define TEST(name)                                                                   \
    static void name();                                                              \
    static const ::stylobate::tests::Registration registration_##name(#name, &name); \
    static void name()

#define CHECK(condition) ::stylobate::tests::check(condition, #condition, __FILE__, __LINE__)

// |got − expected| ≤ tolerance
#define CHECK_CLOSE(got, expected, tolerance)                                                \
    ::stylobate::tests::check_close(static_cast<double>(got), static_cast<double>(expected), \
                                    tolerance, #got, __FILE__, __LINE__)

#define CHECK_THROWS(error, statement)     \
    do {                                   \
        bool thrown = false;               \
        try {                              \
            statement;                     \
        } catch (const error&) {           \
            thrown = true;                 \
        }                                  \
        CHECK(thrown && "throws " #error); \
    } while (false)
