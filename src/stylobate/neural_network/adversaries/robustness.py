"""How accuracy falls as adversaries may change more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError
from stylobate.neural_network.adversaries.attacks import numbers_of, projected_gradient

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
        from stylobate.plot.classifiers.robustness import plot_robustness

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

    given, labels = numbers_of(X, "robustness_curve"), np.asarray(y)
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
