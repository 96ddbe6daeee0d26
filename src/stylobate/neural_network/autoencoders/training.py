"""Training of autoencoders: noise on the way in, weights shared by both ways, epochs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidParameterError, NumericalError, joined
from stylobate.neural_network.network import Network
from stylobate.optimize.methods.adaptive import Adam
from stylobate.optimize.methods.stochastic import SGD
from stylobate.optimize.steps import Constant

NOISES = ("gaussian", "masking", "salt_and_pepper")


def noisy(
    x: NDArray[Any], kind: str | None, level: float, draw: np.random.Generator
) -> NDArray[Any]:
    """Rows with noise, for an autoencoder that learns to take it away.

    Parameters
    ----------
    x : array of shape (n, p)
        Centred rows.
    kind : {"gaussian", "masking", "salt_and_pepper"} or None
        Normal of standard deviation `level`; entries set to zero with probability `level`; entries
        set to the least or the largest of x with probability `level`.
    level : float
    draw : numpy Generator

    Examples
    --------
    >>> draw = np.random.default_rng(0)
    >>> float(noisy(np.ones((1000, 10)), "masking", 0.25, draw).mean().round(2))
    0.75
    """
    if kind is None or level == 0.0:
        return x
    if kind == "gaussian":
        return np.asarray(x + (level * draw.standard_normal(x.shape)).astype(x.dtype))
    hit = draw.random(x.shape) < level
    if kind == "masking":
        return np.where(hit, x.dtype.type(0), x)
    ends = np.where(draw.random(x.shape) < 0.5, x.min(), x.max())
    return np.where(hit, ends, x).astype(x.dtype)


class WeightSharing:
    """Which weights of a decoder are those of the encoder, transposed.

    Gradients and starts are projected onto weights that agree, so that every method of descent
    stays among them.

    Parameters
    ----------
    network : Network
        Dense layers, as many on the way back as on the way in.
    """

    def __init__(self, network: Network) -> None:
        numbers = np.arange(network.n_parameters, dtype=np.float64)
        where = network.with_parameters(numbers).weights()
        weights = [v.astype(np.int64) for name, v in where.items() if name.endswith(" W")]
        pairs = zip(weights, weights[::-1], strict=True)
        self._pairs = [(one.ravel(), other.T.ravel()) for one, other in pairs][: len(weights) // 2]

    def projected(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The nearest vector whose shared entries agree."""
        found = vector.copy()
        for one, other in self._pairs:
            found[one] = found[other] = 0.5 * (vector[one] + vector[other])
        return found

    def copied(self, vector: NDArray[Any]) -> NDArray[Any]:
        """With the encoder's weights in the decoder."""
        found = vector.copy()
        for one, other in self._pairs:
            found[other] = vector[one]
        return found


@dataclass(slots=True)
class Descent:
    """Where training ended.

    Parameters
    ----------
    network : Network
        That of the best epoch.
    losses : list of float
        Half the mean squared error, with the penalty, of every epoch.
    converged : bool
    """

    network: Network
    losses: list[float] = field(default_factory=list)
    converged: bool = False


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """What is minimised: the error of reconstructions from noisy rows, and a penalty.

    Parameters
    ----------
    network : Network
    x : array of shape (n, p)
    noise : Callable
        (rows, generator) → noisy rows.
    sharing : WeightSharing or None
    alpha : float
        Of ½α‖W‖².
    """

    network: Network
    x: NDArray[Any]
    noise: Callable[[NDArray[Any], np.random.Generator], NDArray[Any]]
    sharing: WeightSharing | None
    alpha: float

    def at(
        self, theta: NDArray[Any], rows: Any, draw: np.random.Generator
    ) -> tuple[float, NDArray[Any]]:
        """Value and gradient at some parameters, on some rows."""
        clean = self.x[rows]
        value, gradient = self.network.with_parameters(theta).gradient(
            self.noise(clean, draw), clean
        )
        if self.alpha:
            decay = self._decay(theta)
            value, gradient = value + 0.5 * float(decay @ theta), gradient + decay
        return value, gradient if self.sharing is None else self.sharing.projected(gradient)

    def _decay(self, theta: NDArray[Any]) -> NDArray[Any]:
        pulls = np.zeros_like(theta)
        held = self.network.with_parameters(theta).weights()
        places = self.network.with_parameters(np.arange(len(theta), dtype=np.float64)).weights()
        for name, weights in held.items():
            if name.endswith(" W"):
                pulls[places[name].astype(np.int64).ravel()] = self.alpha * weights.ravel()
        return pulls


def by_batches(
    task: Reconstruction, solver: str, rate: float, batch: int, *,
    max_iter: int, tol: float, patience: float, seed: int,
) -> Descent:  # fmt: skip
    """Epochs of Adam or SGD with momentum, until a number of them brought nothing."""
    method: Any = Adam(rate) if solver == "adam" else SGD(Constant(rate), momentum=0.9)
    draw = np.random.default_rng(seed)
    theta = task.network.parameters.copy()
    move, _ = method.update(None, theta)
    found, idle, steps, least = Descent(task.network), 0, 0, np.inf
    try:
        for _ in range(max_iter):
            total, order = 0.0, draw.permutation(len(task.x))
            for first in range(0, len(order), batch):
                rows, steps = order[first : first + batch], steps + 1
                value, gradient = task.at(theta, rows, draw)
                total += value * len(rows)
                theta = theta + move(gradient, steps).astype(theta.dtype)
            loss = total / len(order)
            _refuse_explosion(loss, theta)
            idle = idle + 1 if loss > least - tol * abs(least) and found.losses else 0
            found.losses.append(loss)
            if loss < least:
                found.network, least = task.network.with_parameters(theta), loss
            if idle >= patience:
                found.converged = True
                break
    except KeyboardInterrupt:
        warnings.warn(
            "Autoencoder: training was interrupted; the best epoch so far is kept.",
            stacklevel=user_stacklevel(),
        )
        found.converged = True
    return found


def on_all_rows(task: Reconstruction, *, max_iter: int, tol: float) -> Descent:
    """L-BFGS on all rows, in double precision."""
    from stylobate.neural_network.quasi_newton import Point
    from stylobate.optimize.lbfgs import minimize_lbfgs
    from stylobate.optimize.trace import Trace

    found, draw, every = Descent(task.network), np.random.default_rng(0), slice(None)

    def at(theta: NDArray[Any]) -> Point:
        return Point(theta, *task.at(theta, every, draw))

    def done(point: Point) -> bool:
        found.losses.append(point.value)
        found.converged = bool(np.abs(point.gradient).max() <= tol)
        return found.converged

    start = at(task.network.parameters.astype(np.float64))
    point, steps = minimize_lbfgs(at, start, done, max_iter=max_iter, trace=Trace())
    found.converged = found.converged or steps < max_iter  # or no step lowers the loss any more
    _refuse_explosion(point.value, point.theta)
    found.network = task.network.with_parameters(point.theta.astype(task.network.parameters.dtype))
    return found


def _refuse_explosion(loss: float, theta: NDArray[Any]) -> None:
    if not (np.isfinite(loss) and np.isfinite(theta).all()):
        raise NumericalError(
            "Autoencoder: the weights left the range of numbers; lower learning_rate_init."
        )


def warn_unconverged(max_iter: int) -> None:
    """Say that training ended too early."""
    warnings.warn(
        f"Autoencoder: max_iter={max_iter} was reached while the error still fell; raise max_iter "
        "or learning_rate_init.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )


def refuse_noise(noise: str | None, solver: str) -> None:
    """L-BFGS and the closed form look at one function, which noise changes at every look."""
    if noise is not None:
        raise InvalidParameterError(
            f"Autoencoder: solver={solver!r} has no use for noise={noise!r}, which is drawn anew "
            "for every batch; use solver='adam'."
        )
