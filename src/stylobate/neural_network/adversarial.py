"""Images changed by as little as fools a network, and networks trained against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    _require(epsilon, steps, step, bounds)
    given = _numbers(X, "projected_gradient")
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


def _numbers(X: Any, owner: str) -> NDArray[Any]:
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


def _require(epsilon: Any, steps: Any, step: Any, bounds: Any) -> None:
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


@dataclass(frozen=True)
class AdversarialTraining:
    r"""Half of every batch (or another share) replaced by its adversaries, for ``augment=``.

    .. math:: \min_\theta \; (1 - \alpha)\, \ell(f_\theta(x), y) + \alpha \max_{\|\delta\|_\infty
              \le \varepsilon} \ell(f_\theta(x + \delta), y)

    the maximum approximated by gradient signs at the network of the moment.

    Parameters
    ----------
    epsilon : float in [0, inf)
        In units of what the network is trained on.
    steps : int in [1, inf), default=1
        1: the fast gradient sign; more: its iterated form, begun at a random point.
    share : float in [0, 1], default=0.5
        α, of the rows of a batch.
    bounds : (float, float), optional
        Smallest and largest entry there may be.

    References
    ----------
    Goodfellow, Shlens & Szegedy (2015); Madry et al. (2018).

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> network = Network([Dense(1), Activation("sigmoid")], 2)
    >>> x, y = [[0.0, 0.0], [1.0, 1.0]] * 4, np.array([0, 1] * 4)
    >>> trained = network.train(x, y, "cross_entropy", augment=AdversarialTraining(0.1))
    >>> trained.best_epoch
    10
    """

    epsilon: float
    steps: int = 1
    share: float = 0.5
    bounds: tuple[float, float] | None = None
    sees_network: bool = True

    def __post_init__(self) -> None:
        _require(self.epsilon, self.steps, None, self.bounds)
        if not 0.0 <= self.share <= 1.0:
            raise InvalidParameterError(
                f"AdversarialTraining: share must be a number in [0, 1], got {self.share!r}."
            )

    def __call__(
        self, x: NDArray[Any], random: np.random.Generator, y: NDArray[Any], network: Any
    ) -> NDArray[Any]:
        """The batch with its first rows replaced; rows come in random order."""
        count = round(self.share * len(x))
        if count == 0:
            return x
        seed = int(random.integers(1 << 31)) if self.steps > 1 else None
        length = self.epsilon if self.steps == 1 else None
        fooled = projected_gradient(
            network, x[:count], y[:count], self.epsilon, steps=self.steps, step=length,
            random_state=seed, bounds=self.bounds,
        )  # fmt: skip
        return np.concatenate([fooled, x[count:]])


@dataclass(frozen=True, slots=True)
class RobustnessCurve:
    """How accuracy falls as adversaries may change more.

    Parameters
    ----------
    epsilons, accuracies, lower, upper : arrays of shape (k,)
        Changes allowed, accuracies, and the ends of their intervals.
    confidence : float
        Of the intervals (Wilson's), each by itself.
    attack : str
    n_rows : int
    """

    epsilons: NDArray[np.float64]
    accuracies: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    confidence: float
    attack: str
    n_rows: int

    def __str__(self) -> str:
        lines = [f"accuracy under {self.attack}, {self.n_rows} rows"]
        for e, a, low, high in zip(
            self.epsilons, self.accuracies, self.lower, self.upper, strict=True
        ):
            lines.append(f"  ε = {e:<8.4g} {a:.3f}  [{low:.3f}, {high:.3f}]")
        return "\n".join(lines)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Accuracy against ε with its intervals.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        """
        from stylobate.plot.robustness import plot_robustness

        return plot_robustness(self, ax=ax)


def robustness_curve(
    model: Any,
    X: Any,
    y: Any,
    epsilons: Sequence[float],
    *,
    steps: int = 1,
    bounds: tuple[float, float] | None = None,
    confidence: float = 0.95,
) -> RobustnessCurve:
    """The accuracy of a model on adversaries of several sizes, with intervals.

    Parameters
    ----------
    model, X, y, bounds
        As of `fast_gradient_sign`.
    epsilons : sequence of float in [0, inf)
    steps : int in [1, inf), default=1
        1: fast gradient sign; more: its iterated form. Neither is the worst there is: accuracies
        are upper bounds of those under the best attack.
    confidence : float in (0, 1), default=0.95

    Returns
    -------
    RobustnessCurve

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> model = Network([Dense(1), Activation("sigmoid")], 1).with_parameters([1.0, 0.0])
    >>> X, y = [[-3.0], [-1.0], [1.0], [3.0]], np.array([0, 0, 1, 1])
    >>> robustness_curve(model, X, y, [0.0, 2.0, 4.0]).accuracies
    array([1. , 0.5, 0. ])
    """
    from stylobate.metrics import proportion_interval

    given, labels = _numbers(X, "robustness_curve"), np.asarray(y)
    if len(given) != len(labels) or len(given) == 0 or len(epsilons) == 0:
        raise InvalidDataError(
            f"robustness_curve: X, y and epsilons need rows of one number, got {len(given)}, "
            f"{len(labels)} and {len(epsilons)}."
        )
    rows = []
    for epsilon in epsilons:
        length = epsilon if steps == 1 else None
        fooled = projected_gradient(
            model, given, labels, epsilon, steps=steps, step=length, bounds=bounds
        )
        hits = int(np.sum(_labels_of(model, fooled) == labels))
        interval = proportion_interval(hits, len(labels), confidence=confidence)
        rows.append((float(epsilon), hits / len(labels), interval.low, interval.high))
    found = np.array(rows, dtype=np.float64).T
    name = "fast gradient sign" if steps == 1 else f"{steps} projected gradient steps"
    return RobustnessCurve(found[0], found[1], found[2], found[3], confidence, name, len(labels))


def _labels_of(model: Any, x: NDArray[Any]) -> NDArray[Any]:
    outputs = np.asarray(model.predict(x))
    if outputs.ndim == 1:
        return outputs
    return outputs.argmax(axis=1) if outputs.shape[1] > 1 else (outputs[:, 0] > 0.5).astype(int)
