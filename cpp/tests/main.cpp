// Runs every kernel test, or those whose names contain the first argument.
#include <exception>

#include "check.hpp"

int main(int argc, char** argv) {
    using namespace stylobate::tests;
    const std::string wanted = argc > 1 ? argv[1] : "";
    int passed = 0, failed = 0;
    for (const Test& test : registry()) {
        if (test.name.find(wanted) == std::string::npos) continue;
        failed_checks = 0;
        try {
            test.body();
        } catch (const std::exception& error) {
            ++failed_checks;
            std::cerr << "unexpected error: " << error.what() << "\n";
        }
        if (failed_checks > 0)
            std::cerr << test.name << ": " << failed_checks << " checks failed\n";
        ++(failed_checks > 0 ? failed : passed);
    }
    std::cout << passed << " passed, " << failed << " failed\n";
    return failed > 0 || passed == 0 ? 1 : 0;
}
