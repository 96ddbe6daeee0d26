// A loss chosen at run time by name, called with its concrete type.
#pragma once

#include <string_view>

#include "descend/losses.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::descend {

// body(loss) with the loss of that name. `parameter` is the number some losses have: Huber's slope
// (its `second` is the steepness), the quantile's level, the insensitive margin, Tweedie's power;
// others ignore it.
template <class Body>
auto with_loss(std::string_view name, double parameter, double second, const Body& body) {
    if (name == "half_squared") return body(HalfSquared{});
    if (name == "huber") return body(Huber{parameter, second});
    if (name == "quantile") return body(Quantile{parameter});
    if (name == "absolute") return body(Absolute{});
    if (name == "epsilon_insensitive") return body(EpsilonInsensitive{parameter});
    if (name == "squared_epsilon_insensitive") return body(SquaredEpsilonInsensitive{parameter});
    if (name == "logistic") return body(Logistic{});
    if (name == "hinge") return body(Hinge{1.0});
    if (name == "perceptron") return body(Hinge{0.0});
    if (name == "squared_hinge") return body(SquaredHinge{});
    if (name == "modified_huber") return body(ModifiedHuber{});
    if (name == "poisson") return body(Poisson{});
    if (name == "gamma") return body(Gamma{});
    if (name == "tweedie") return body(Tweedie{parameter});
    throw InvalidArgument("there is no loss of this name");
}

template <class Body>
auto with_loss(std::string_view name, double parameter, const Body& body) {
    return with_loss(name, parameter, 0.5, body);
}

}  // namespace stylobate::descend
