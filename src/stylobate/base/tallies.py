"""What scores need of the rows, added up batch by batch: sums of residuals, counts of labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.residuals import ResidualSums
from stylobate.base.scoring import accuracy, explained_share
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    from stylobate.statistics import Moments

F = TypeVar("F", bound=Callable[..., Any])


class Tally(Protocol):
    """Something that batches are added to, and that a score is read from."""

    def add(self, y: Any, prediction: Any, weights: Any = None) -> None: ...

    def score(self) -> float: ...

    def merge(self, other: Self) -> Self: ...


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
        self.moments: Moments | None = None  # of residuals (features) and y (targets)

    def add(self, y: Any, prediction: Any, weights: Any = None) -> None:
        """Count a batch: the truth, what was predicted, and the weights of the rows."""
        from stylobate.data import read_table
        from stylobate.statistics import Moments

        found = np.asarray(prediction, dtype=np.float64)
        found = found[:, np.newaxis] if found.ndim == 1 else found
        table = read_table(found, y, weights, owner=self.owner, y_required=True)
        assert table.y is not None
        if table.y.shape != found.shape:
            raise InvalidDataError(
                f"{self.owner}.score: y has {table.y.shape[1]} target(s), but the model predicts "
                f"{found.shape[1]}; pass the targets it was fitted to."
            )
        part = Moments.of(replace(table, x=table.y - found))
        self.moments = part if self.moments is None else self.moments.merge(part)

    def merge(self, other: ResidualTally) -> ResidualTally:
        """Of both parts' rows."""
        made = type(self)(self.owner)
        known = [each for each in (self.moments, other.moments) if each is not None]
        made.moments = known[0].merge(known[1]) if len(known) > 1 else known[0] if known else None
        return made

    def sums(self) -> ResidualSums:
        """The sums of all rows, scaled to weights of 1 on average."""
        assert self.moments is not None
        known = self.moments
        scatter = np.diagonal(known.scatter) * (known.n_rows / known.weight)
        t = known.n_targets
        return ResidualSums(
            np.array([known.n_rows]), scatter[None, :t], known.mean[None, :t], scatter[None, t:]
        )

    def score(self) -> float:
        """R², several targets counting equally."""
        sums = self.sums()
        if sums.n_rows[0] < 2:
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
        names, words = labels.tolist(), said.tolist()
        for cell in np.flatnonzero(seen).tolist():
            pair = (names[cell // len(said)], words[cell % len(said)])
            self.weight[pair] = self.weight.get(pair, 0.0) + float(cells[cell])

    def merge(self, other: LabelTally) -> LabelTally:
        """Of both parts' rows."""
        made = type(self)(self.owner)
        made.weight = dict(self.weight)
        for pair, weight in other.weight.items():
            made.weight[pair] = made.weight.get(pair, 0.0) + weight
        return made

    def pairs(self) -> tuple[NDArray[Any], NDArray[Any], Array]:
        """True labels, predicted labels, and the weight of all rows that have both."""
        truth, said = (np.array(each) for each in zip(*self.weight, strict=True))
        return truth, said, np.array(list(self.weight.values()))

    def score(self) -> float:
        """The share of the rows whose label was predicted."""
        return accuracy(*self.pairs())
