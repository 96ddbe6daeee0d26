"""What scores need of the rows, added up batch by batch: sums of residuals, counts of labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.residuals import ResidualSums
from stylobate.base.scoring import accuracy, explained_share
from stylobate.exceptions import InvalidDataError

F = TypeVar("F", bound=Callable[..., Any])


class Tally(Protocol):
    """Something that batches are added to, and that a score is read from."""

    def add(self, y: Any, prediction: Any, weights: Any = None) -> None: ...

    def score(self) -> float: ...


def scored_by(tally: Callable[[str], Tally]) -> Callable[[F], F]:
    """Mark a `score` method as what a tally of predictions says, so that streams use the tally."""

    def mark(method: F) -> F:
        method.tally = tally  # type: ignore[attr-defined]
        return method

    return mark


class ResidualTally:
    """Sums over the residuals of batches, merged as means and centred squares.

    Parameters
    ----------
    owner : str
        Whose predictions they are, for refusals.

    Examples
    --------
    >>> tally = ResidualTally("Ridge")
    >>> tally.add([1.0, 2.0], [1.0, 2.0])
    >>> tally.add([3.0], [4.0])
    >>> tally.score()
    0.5
    """

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.n_rows, self.weight = 0, 0.0
        self.mean = self.scatter = np.zeros((2, 1))  # of residuals and of y, for each target

    def add(self, y: Any, prediction: Any, weights: Any = None) -> None:
        """Count a batch: the truth, what was predicted, and the weights of the rows."""
        from stylobate.data import read_table

        found = np.asarray(prediction, dtype=np.float64)
        found = found[:, np.newaxis] if found.ndim == 1 else found
        table = read_table(found, y, weights, owner=self.owner, y_required=True)
        assert table.y is not None
        if table.y.shape != found.shape:
            raise InvalidDataError(
                f"{self.owner}.score: y has {table.y.shape[1]} target(s), but the model predicts "
                f"{found.shape[1]}; pass the targets it was fitted to."
            )
        values = np.stack([table.y - found, table.y])
        w = np.ones(len(found)) if table.weights is None else table.weights
        weight = float(w.sum())
        self.n_rows += len(found)
        if not weight:
            return
        mean = np.einsum("kit,i->kt", values, w) / weight
        scatter = np.einsum("kit,i->kt", (values - mean[:, None]) ** 2, w)
        self._merge(weight, mean, scatter)

    def _merge(self, weight: float, mean: Array, scatter: Array) -> None:
        total = self.weight + weight
        shift = mean - self.mean
        self.scatter = self.scatter + scatter + shift**2 * (self.weight * weight / total)
        self.mean = self.mean + shift * (weight / total)
        self.weight = total

    def sums(self) -> ResidualSums:
        """The sums of all rows, scaled to weights of 1 on average."""
        scale = self.n_rows / self.weight if self.weight else 1.0
        scatter = scale * self.scatter[:, None]
        return ResidualSums(np.array([self.n_rows]), scatter[0], self.mean[:1], scatter[1])

    def score(self) -> float:
        """R², several targets counting equally."""
        sums = self.sums()
        if self.n_rows < 2:
            return float("nan")
        return float(explained_share(sums.squares, sums.total).mean())


class LabelTally:
    """How often each label was predicted for each true one: all that scores of labels need.

    Parameters
    ----------
    owner : str
        Whose predictions they are, for refusals.

    Examples
    --------
    >>> tally = LabelTally("GaussianNB")
    >>> tally.add(["a", "b"], np.array(["a", "a"]))
    >>> tally.add(["a"], np.array(["a"]))
    >>> round(tally.score(), 3), tally.weight
    (0.667, {('a', 'a'): 2.0, ('b', 'a'): 1.0})
    """

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.weight: dict[tuple[Any, Any], float] = {}

    def add(self, y: Any, prediction: Any, weights: Any = None) -> None:
        """Count a batch: the truth, what was predicted, and the weights of the rows."""
        from stylobate.data import read_labels, read_weights

        said, said_codes = np.unique(np.asarray(prediction), return_inverse=True)
        count = len(said_codes)
        labels, codes = read_labels(y, owner=self.owner, n_rows=count)
        w = read_weights(weights, count, owner=self.owner)
        cells = np.bincount(codes * len(said) + said_codes.ravel(), w, len(labels) * len(said))
        seen = np.bincount(codes * len(said) + said_codes.ravel(), None, len(cells))
        for cell in np.flatnonzero(seen).tolist():
            pair = (labels[cell // len(said)].item(), said[cell % len(said)].item())
            self.weight[pair] = self.weight.get(pair, 0.0) + float(cells[cell])

    def pairs(self) -> tuple[NDArray[Any], NDArray[Any], Array]:
        """True labels, predicted labels, and the weight of all rows that have both."""
        truth, said = (np.array(each) for each in zip(*self.weight, strict=True))
        return truth, said, np.array(list(self.weight.values()))

    def score(self) -> float:
        """The share of the rows whose label was predicted."""
        return accuracy(*self.pairs())
