// A loss chosen at run time: the one table of names, and calls with the loss's concrete type.
#pragma once

#include <string_view>

#include "descend/losses.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::descend {

enum class LossKind : int {
    half_squared,
    huber,
    quantile,
    absolute,
    epsilon_insensitive,
    squared_epsilon_insensitive,
    logistic,
    hinge,
    perceptron,
    squared_hinge,
    modified_huber,
    poisson,
    gamma,
    tweedie,
    multinomial,
};

// A loss with its numbers, where it has any: Huber's slope and steepness, the quantile's level, the
// insensitive margin, Tweedie's power.
struct LossChoice {
    LossKind kind = LossKind::half_squared;
    double first = 0.0, second = 0.5;
};

inline LossKind loss_kind(std::string_view name) {
    constexpr std::string_view names[] = {
        "half_squared",
        "huber",
        "quantile",
        "absolute",
        "epsilon_insensitive",
        "squared_epsilon_insensitive",
        "logistic",
        "hinge",
        "perceptron",
        "squared_hinge",
        "modified_huber",
        "poisson",
        "gamma",
        "tweedie",
        "multinomial",
    };
    for (int kind = 0; kind <= static_cast<int>(LossKind::multinomial); ++kind)
        if (names[kind] == name) return static_cast<LossKind>(kind);
    throw InvalidArgument("there is no loss of this name");
}

// body(loss) with the loss chosen, of one predictor.
template <class Body>
auto with_loss(const LossChoice& choice, const Body& body) {
    switch (choice.kind) {
        case LossKind::half_squared:
            return body(HalfSquared{});
        case LossKind::huber:
            return body(Huber{choice.first, choice.second});
        case LossKind::quantile:
            return body(Quantile{choice.first});
        case LossKind::absolute:
            return body(Absolute{});
        case LossKind::epsilon_insensitive:
            return body(EpsilonInsensitive{choice.first});
        case LossKind::squared_epsilon_insensitive:
            return body(SquaredEpsilonInsensitive{choice.first});
        case LossKind::logistic:
            return body(Logistic{});
        case LossKind::hinge:
            return body(Hinge{1.0});
        case LossKind::perceptron:
            return body(Hinge{0.0});
        case LossKind::squared_hinge:
            return body(SquaredHinge{});
        case LossKind::modified_huber:
            return body(ModifiedHuber{});
        case LossKind::poisson:
            return body(Poisson{});
        case LossKind::gamma:
            return body(Gamma{});
        case LossKind::tweedie:
            return body(Tweedie{choice.first});
        default:
            throw InvalidArgument("this loss has several predictors");
    }
}

}  // namespace stylobate::descend
