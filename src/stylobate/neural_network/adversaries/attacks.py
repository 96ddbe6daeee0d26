"""Images changed by as little as fools a network."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError


def fast_gradient_sign(
    model: Any, X: Any, y: Any, epsilon: float, *, bounds: tuple[float, float] | None = None
) -> NDArray[Any]:
    r"""Every pixel moved by ε, to the side where the loss grows.

    .. math:: x' = x + \varepsilon \operatorname{sign} \nabla_x \ell(f(x), y)

    Of a linear model with two classes no other change of at most ε a pixel raises the loss more.

    Parameters
    ----------
    model : ConvNetClassifier or Network
        A network ends with Activation("softmax"), or with one output and Activation("sigmoid").
    X : array of images, as the model takes them
    y : array of shape (n,)
        Labels; class numbers for a network.
    epsilon : float in [0, inf)
        In units of the pixels.
    bounds : (float, float), optional
        Smallest and largest pixel there may be, such as (0, 1).

    Returns
    -------
    array of the shape of X

    References
    ----------
    Goodfellow, Shlens & Szegedy (2015), Explaining and harnessing adversarial examples.

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> model = Network([Dense(1), Activation("sigmoid")], 2).with_parameters([1.0, -2.0, 0.0])
    >>> fast_gradient_sign(model, np.zeros((1, 2)), np.array([1]), 0.1)
    array([[-0.1,  0.1]])
    """
    return projected_gradient(model, X, y, epsilon, steps=1, step=epsilon, bounds=bounds)


def projected_gradient(
    model: Any,
    X: Any,
    y: Any,
    epsilon: float,
    *,
    steps: int = 10,
    step: float | None = None,
    random_state: int | None = None,
    bounds: tuple[float, float] | None = None,
) -> NDArray[Any]:
    r"""The fast gradient sign iterated, no pixel further than ε from where it was.

    .. math:: x_{t+1} = \Pi_{\|x' - x\|_\infty \le \varepsilon} \bigl( x_t + a \operatorname{sign}
              \nabla_x \ell(f(x_t), y) \bigr)

    Parameters
    ----------
    model, X, y, epsilon, bounds
        As of `fast_gradient_sign`.
    steps : int in [1, inf), default=10
    step : float in (0, inf), optional
        a; 2.5 ε / steps by default.
    random_state : int in [0, inf), optional
        Start at a random point within ε; at X itself by default.

    Returns
    -------
    array of the shape of X

    References
    ----------
    Madry et al. (2018), Towards deep learning models resistant to adversarial attacks.

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> model = Network([Dense(1), Activation("sigmoid")], 2).with_parameters([1.0, -2.0, 0.0])
    >>> projected_gradient(model, np.zeros((1, 2)), np.array([1]), 0.1, steps=3).round(9)
    array([[-0.1,  0.1]])
    """
    require_attack(epsilon, steps, step, bounds)
    given = numbers_of(X, "projected_gradient")
    start = given if given.dtype.kind == "f" else given.astype(np.float64)
    length = 2.5 * epsilon / steps if step is None else step
    x = start.copy()
    if random_state is not None:
        x += np.random.default_rng(random_state).uniform(-epsilon, epsilon, x.shape)
    for _ in range(steps):
        slopes = np.asarray(_slopes(model, x, y)).reshape(x.shape)
        x = x + (length * np.sign(slopes)).astype(x.dtype)
        x = x.clip(start - epsilon, start + epsilon)
        if bounds is not None:
            x = x.clip(*bounds)
    return x


def numbers_of(X: Any, owner: str) -> NDArray[Any]:
    """Rows of numbers, of any number of dimensions."""
    if is_sparse(X):
        raise UnsupportedDataError(f"{owner}: X is sparse; use X.toarray().")
    given = np.asarray(X)
    if given.ndim == 0 or given.dtype.kind not in "fiub":
        raise InvalidDataError(f"{owner}: X must be an array of numbers with rows.")
    return given


def _slopes(model: Any, x: NDArray[Any], y: Any) -> Any:
    from stylobate.neural_network.network import Network

    if isinstance(model, Network):
        return model.input_gradient(x, y, "cross_entropy")[1]
    if not hasattr(model, "input_gradient"):
        raise InvalidParameterError(
            "projected_gradient: model must be a Network or a fitted ConvNetClassifier, got "
            f"{type(model).__name__}."
        )
    return model.input_gradient(x, y)


def require_attack(epsilon: Any, steps: Any, step: Any, bounds: Any) -> None:
    """Refuse what no attack can have."""
    if np.ndim(epsilon) or not 0.0 <= epsilon < np.inf:
        raise InvalidParameterError(f"epsilon must be a number in [0, inf), got {epsilon!r}.")
    if int(steps) != steps or steps < 1:
        raise InvalidParameterError(f"steps must be a whole number in [1, inf), got {steps!r}.")
    if step is not None and not 0.0 <= step < np.inf:
        raise InvalidParameterError(f"step must be a number in [0, inf), got {step!r}.")
    if bounds is not None and not bounds[0] < bounds[1]:
        raise InvalidParameterError(
            f"bounds must be (smallest, largest) pixel, the smaller first, got {bounds!r}."
        )
