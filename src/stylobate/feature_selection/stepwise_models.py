"""Models one column away from a given one, as stepwise selection compares them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.base import clone
from stylobate.exceptions import InvalidParameterError
from stylobate.feature_selection.criteria import LinearCriteria
from stylobate.feature_selection.sweeps import Sweeps
from stylobate.statistics import Moments


class Neighbours(Protocol):
    """Who judges the models one column away from a set."""

    def usable(self, support: Mask, candidates: NDArray[np.intp]) -> Mask:
        """Whether the set with each candidate flipped can be fitted."""

    def values(self, support: Mask, candidates: NDArray[np.intp], criterion: str) -> Array:
        """AIC or BIC with each candidate flipped."""

    def value(self, support: Mask, criterion: str) -> float:
        """AIC or BIC of the set itself."""

    def p_values(self, support: Mask, candidates: NDArray[np.intp]) -> Array:
        """Of the test that a candidate's coefficient is zero, in the larger model."""


@dataclass(slots=True)
class LinearNeighbours:
    """Linear models from moments: every neighbour is read off the swept matrix."""

    state: Sweeps
    criteria: LinearCriteria
    n: float

    @classmethod
    def of(cls, moments: Moments, *, intercept: bool) -> Self:
        centred = moments if intercept else moments.about_zero()
        total = float(centred.yy[0, 0])
        state = Sweeps.of(centred.scatter[None], None, moments.n_features)
        return cls(state, LinearCriteria(moments.weight, total, intercept), moments.weight)

    def _freedom(self, size: int) -> float:
        return self.n - size - int(self.criteria.intercept)

    def usable(self, support: Mask, candidates: NDArray[np.intp]) -> Mask:
        self.state.reach(support)
        fits = np.ones(len(candidates), dtype=bool)
        outside = ~support[candidates]
        room = self._freedom(int(support.sum()) + 1) > 0
        fits[outside] = self.state.reliable(candidates[outside]) & room
        return fits

    def values(self, support: Mask, candidates: NDArray[np.intp], criterion: str) -> Array:
        squares, sizes = self._flipped(support, candidates)
        return np.asarray(getattr(self.criteria, criterion)(squares, sizes))

    def value(self, support: Mask, criterion: str) -> float:
        self.state.reach(support)
        squares = self.state.current_squares()[0, :1]
        sizes = np.array([int(support.sum())])
        return float(getattr(self.criteria, criterion)(squares, sizes)[0])

    def p_values(self, support: Mask, candidates: NDArray[np.intp]) -> Array:
        """F tests with the residual variance of the larger model, the usual t tests."""
        from scipy.special import fdtrc

        squares, sizes = self._flipped(support, candidates)
        now, size = float(self.state.current_squares()[0, 0]), int(support.sum())
        smaller, larger = np.maximum(squares, now), np.minimum(squares, now)
        freedom = self.n - np.maximum(sizes, size) - int(self.criteria.intercept)
        with np.errstate(divide="ignore", invalid="ignore"):
            f = (smaller - larger) / (larger / freedom)
        return np.where(np.isnan(f), 1.0, fdtrc(1.0, np.maximum(freedom, 1), np.nan_to_num(f)))

    def _flipped(
        self, support: Mask, candidates: NDArray[np.intp]
    ) -> tuple[Array, NDArray[np.int64]]:
        self.state.reach(support)
        squares = np.maximum(self.state.squares(candidates)[0, :, 0], 0.0)
        sizes = int(support.sum()) + np.where(support[candidates], -1, 1)
        return squares, sizes.astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Facts:
    log_likelihood: float
    aic: float
    bic: float

    @property
    def n_params(self) -> float:
        return self.aic / 2.0 + self.log_likelihood


@dataclass(slots=True)
class FittedNeighbours:
    """Models that have to be fitted one by one, and tell their likelihood in `summary()`."""

    estimator: Any
    x: Any
    y: Any
    owner: str
    known: dict[bytes, _Facts] = field(default_factory=dict)

    def usable(self, support: Mask, candidates: NDArray[np.intp]) -> Mask:
        return np.ones(len(candidates), dtype=bool)

    def values(self, support: Mask, candidates: NDArray[np.intp], criterion: str) -> Array:
        return np.array([getattr(self._facts(_flip(support, k)), criterion) for k in candidates])

    def value(self, support: Mask, criterion: str) -> float:
        return float(getattr(self._facts(support), criterion))

    def p_values(self, support: Mask, candidates: NDArray[np.intp]) -> Array:
        """Likelihood-ratio tests."""
        from scipy.special import chdtrc

        found = []
        for k in candidates:
            other = _flip(support, k)
            smaller, larger = (support, other) if other[k] else (other, support)
            small, big = self._facts(smaller), self._facts(larger)
            if np.isinf(small.log_likelihood):
                raise InvalidParameterError(
                    f"{self.owner}: the summary of {type(self.estimator).__name__} does not tell "
                    "the likelihood without columns; use criterion='aic' or 'bic'."
                )
            freedom = max(big.n_params - small.n_params, 1.0)
            gain = max(2.0 * (big.log_likelihood - small.log_likelihood), 0.0)
            found.append(float(chdtrc(round(freedom), gain)))
        return np.array(found)

    def _facts(self, support: Mask) -> _Facts:
        key = support.tobytes()
        if key not in self.known:
            if support.any():
                summary = self._summary(support)
                facts = _Facts(summary.log_likelihood, summary.aic, summary.bic)
            else:
                facts = self._without_columns(len(support))
            self.known[key] = facts
        return self.known[key]

    def _without_columns(self, p: int) -> _Facts:
        """The model of the intercept alone, as a model of one column tells it; else unknown."""
        summary = self._summary(np.arange(p) == 0)
        value = getattr(summary, "null_log_likelihood", None)
        if value is None:
            return _Facts(-np.inf, np.inf, np.inf)
        equations = len(getattr(summary, "equations", ("",)))
        count = round(summary.aic / 2.0 + summary.log_likelihood) - equations
        n = len(self.y)
        return _Facts(float(value), 2.0 * (count - value), np.log(n) * count - 2.0 * value)

    def _summary(self, support: Mask) -> Any:
        model = clone(self.estimator)
        model.fit(self.x[:, np.flatnonzero(support)], self.y)
        if not callable(getattr(model, "summary", None)):
            raise InvalidParameterError(
                f"{self.owner}: {type(self.estimator).__name__} has no summary() with a "
                "likelihood; use a model that has, or SequentialFeatureSelector, which goes by "
                "cross-validated score."
            )
        return model.summary()


def _flip(support: Mask, k: int) -> Mask:
    other = support.copy()
    other[k] = not other[k]
    return other
