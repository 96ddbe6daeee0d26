// Steps of parameters with penalties that differ from part to part, against plain loops.
#include <cmath>

#include "check.hpp"
#include "network/segments.hpp"
#include "reference.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace network;

constexpr Index size = 150'001;  // several chunks, the last one short
const std::int64_t ends[] = {3, 70'000, 70'001, size};
const double decays[] = {0.0, 0.5, 0.0, 0.25};

struct State {
    std::vector<double> value = random_weights(size, 3), first = random_weights(size, 5),
                        second = random_weights(size, 7), gradient = random_weights(size, 9);
    State() {
        for (double& v : second) v = v * v;
    }
    double move(bool adaptive, const Step& step) {
        return step_segments<double>(
            adaptive, {value.data(), first.data(), adaptive ? second.data() : nullptr, size},
            gradient.data(), step, {ends, decays, 4});
    }
};

TEST(network_steps_of_segments) {
    const Step sums{0.1, 0.9, 1.0, 1e-8, 0.0, 1.0, false, false};  // squares are summed
    const Step speeds{0.1, 0.9, 0.0, 0.0, 0.0, 1.0, true};         // Nesterov's momentum
    for (const bool adaptive : {true, false}) {
        State s;
        const State before;
        const double penalty = s.move(adaptive, adaptive ? sums : speeds);
        double expected = 0.0;
        Index part = 0;
        for (Index i = 0; i < size; ++i) {
            if (i == ends[part]) ++part;
            const double w = before.value[i], g = before.gradient[i] + decays[part] * w;
            expected += 0.5 * decays[part] * w * w;
            double moved = 0.0;
            if (adaptive) {
                const double mean = 0.9 * before.first[i] + 0.1 * g;
                moved = w - 0.1 * mean / (std::sqrt(before.second[i] + g * g) + 1e-8);
            } else {
                const double speed = 0.9 * before.first[i] - 0.1 * g;
                moved = w + 0.9 * speed - 0.1 * g;
            }
            CHECK(std::abs(s.value[i] - moved) <= 1e-12 * (1.0 + std::abs(moved)));
        }
        CHECK(std::abs(penalty - expected) <= 1e-11 * expected);
    }
}

TEST(network_steps_have_the_same_bits) {
    const Step step{0.1, 0.9, 0.999, 1e-8, 0.0, 1.0, false};
    std::vector<double> first;
    double penalty = 0.0;
    for (const int count : {1, 2, 7}) {
        const int before = set_threads(count);
        State s;
        const double found = s.move(true, step);
        set_threads(before);
        if (count == 1) first = s.value, penalty = found;
        CHECK(s.value == first);
        CHECK(found == penalty);
    }
}

}  // namespace
}  // namespace stylobate
