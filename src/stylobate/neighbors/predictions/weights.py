"""How much each neighbour counts: by nothing, rank, distance, or a kernel of the distance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neighbors.indexes.brute import split


class WeightRule(ABC):
    r"""Weights :math:`w_s` of neighbours :math:`s = 1, \ldots, k`, the nearest first.

    A rule is a value; pass it as ``weights`` of the neighbour estimators.
    """

    __slots__ = ()

    @abstractmethod
    def _raw(self, distances: Array, rank: NDArray[np.intp], count: NDArray[np.intp]) -> Array:
        """Weights, elementwise; infinite ones outweigh all finite ones."""

    def __call__(self, distances: Any) -> Array:
        """The weights of neighbours at these distances, sorted within each row.

        Parameters
        ----------
        distances : array-like of shape (k,) or (n, k)
            Sorted.

        Returns
        -------
        array of the same shape
        """
        d = np.asarray(distances, dtype=np.float64)
        k = d.shape[-1]
        rank = np.broadcast_to(np.arange(1, k + 1), d.shape)
        weights = self._raw(d, rank, np.broadcast_to(np.intp(k), d.shape))
        return _without_infinities(weights)

    def of_lists(self, distances: Array, offsets: NDArray[np.int64]) -> Array:
        """The weights of lists of neighbours, one after the other, each sorted."""
        counts = np.diff(offsets)
        count = np.repeat(counts, counts)
        rank = np.arange(len(distances)) - np.repeat(offsets[:-1], counts) + 1
        weights = self._raw(distances, rank, count)
        infinite = np.isinf(weights)
        if infinite.any():
            list_of = np.repeat(np.arange(len(counts)), counts)
            touched = np.zeros(len(counts), dtype=bool)
            touched[list_of[infinite]] = True
            weights = np.where(touched[list_of], infinite.astype(np.float64), weights)
        return weights


def _without_infinities(weights: Array) -> Array:
    """Where some neighbours have infinite weight, only they count."""
    infinite = np.isinf(weights)
    if not infinite.any():
        return weights
    some = infinite.any(axis=-1, keepdims=True)
    return np.where(some, infinite.astype(np.float64), weights)


@dataclass(frozen=True, slots=True)
class UniformWeights(WeightRule):
    """:math:`w_s = 1`.

    Examples
    --------
    >>> UniformWeights()([0.5, 2.0])
    array([1., 1.])
    """

    def _raw(self, distances: Array, rank: Any, count: Any) -> Array:
        return np.ones(distances.shape)


@dataclass(frozen=True, slots=True)
class DistanceWeights(WeightRule):
    """:math:`w_s = 1 / d_s`; points at distance 0 outweigh all others.

    Examples
    --------
    >>> DistanceWeights()([[0.5, 2.0], [0.0, 1.0]])
    array([[2. , 0.5],
           [1. , 0. ]])
    """

    def _raw(self, distances: Array, rank: Any, count: Any) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 / distances)


@dataclass(frozen=True, slots=True)
class RankWeights(WeightRule):
    r""":math:`w_s = (k + 1 - s) / k`: falls linearly with the rank.

    Examples
    --------
    >>> RankWeights()([0.1, 0.2, 0.3, 0.4, 0.5])
    array([1. , 0.8, 0.6, 0.4, 0.2])
    """

    def _raw(self, distances: Array, rank: Any, count: Any) -> Array:
        return np.asarray((count + 1 - rank) / count)


@dataclass(frozen=True, slots=True)
class GeometricWeights(WeightRule):
    r""":math:`w_s = q^s`.

    Parameters
    ----------
    q : float in (0, 1), default=0.5
        The ratio of one neighbour's weight to the one's before.

    Examples
    --------
    >>> GeometricWeights(0.5)([0.1, 0.2, 0.3])
    array([0.5  , 0.25 , 0.125])
    """

    q: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 < self.q < 1.0:
            raise InvalidParameterError(
                f"GeometricWeights: q must be in (0, 1) for weights that fall, got {self.q!r}."
            )

    def _raw(self, distances: Array, rank: Any, count: Any) -> Array:
        return np.asarray(self.q ** rank.astype(np.float64))


# K on [0, ∞), not increasing; those that end are 0 beyond 1
KERNELS: dict[str, Callable[[Array], Array]] = {
    "gaussian": lambda u: np.exp(-0.5 * u**2),
    "exponential": lambda u: np.exp(-u),
    "epanechnikov": lambda u: np.maximum(1.0 - u**2, 0.0),
    "linear": lambda u: np.maximum(1.0 - u, 0.0),
    "tophat": lambda u: (u <= 1.0).astype(np.float64),
    "cosine": lambda u: np.where(u <= 1.0, np.cos(np.minimum(u, 1.0) * pi / 2.0), 0.0),
    "tricube": lambda u: np.maximum(1.0 - u**3, 0.0) ** 3,
}


@dataclass(frozen=True, slots=True)
class KernelWeights(WeightRule):
    r""":math:`w_s = K(d_s / h)`: with it, k-neighbour regression is the Nadaraya–Watson estimator.

    Parameters
    ----------
    kernel : {"gaussian", "exponential", "epanechnikov", "linear", "tophat", "cosine", "tricube"}, \
default="gaussian"
        K; "gaussian" is :math:`e^{-u^2/2}`, as in `KernelDensity`. The others but "exponential" end
        at u = 1.
    bandwidth : float in (0, inf) or "farthest", default="farthest"
        h; "farthest" takes each query's distance to its k-th neighbour, so that the width adapts.

    Examples
    --------
    >>> KernelWeights("linear", bandwidth=2.0)([0.5, 1.0, 3.0])
    array([0.75, 0.5 , 0.  ])

    References
    ----------
    Nadaraya (1964), On estimating regression; Watson (1964), Smooth regression analysis.
    """

    kernel: str = "gaussian"
    bandwidth: float | str = "farthest"

    def __post_init__(self) -> None:
        if self.kernel not in KERNELS:
            raise InvalidParameterError(
                f"KernelWeights: kernel must be one of {', '.join(KERNELS)}, got {self.kernel!r}."
            )
        named = isinstance(self.bandwidth, str)
        if named and self.bandwidth != "farthest":
            raise InvalidParameterError(
                f"KernelWeights: bandwidth must be a number or 'farthest', got {self.bandwidth!r}."
            )
        if not named and not 0.0 < float(self.bandwidth) < np.inf:
            raise InvalidParameterError(
                f"KernelWeights: bandwidth must be positive and finite, got {self.bandwidth!r}."
            )

    def _raw(self, distances: Array, rank: Any, count: Any) -> Array:
        if not isinstance(self.bandwidth, str):
            return KERNELS[self.kernel](distances / self.bandwidth)
        # a little beyond the farthest, so that kernels that end do not drop it
        farthest = _of_last(distances, rank, count) * (1.0 + 1e-9)
        scaled = np.divide(distances, farthest, out=np.zeros(distances.shape), where=farthest > 0)
        return KERNELS[self.kernel](scaled)


def _of_last(distances: Array, rank: Any, count: Any) -> Array:
    """The distance of each entry's farthest companion."""
    if distances.ndim == 2:
        return np.broadcast_to(distances[:, -1:], distances.shape)
    last = np.arange(len(distances)) - rank + count
    return np.asarray(distances[last])


NAMED: dict[str, WeightRule] = {
    "uniform": UniformWeights(),
    "distance": DistanceWeights(),
    "rank": RankWeights(),
    "geometric": GeometricWeights(),
} | {name: KernelWeights(name) for name in KERNELS}


def weights_of(rule: Any, distances: Array) -> Array:
    """Weights of k neighbours of every query by a rule, a name, or the user's function."""
    if isinstance(rule, str):
        rule = NAMED[rule]
    if rule is None:
        rule = NAMED["uniform"]
    if isinstance(rule, WeightRule):
        return rule(distances)
    weights = np.asarray(rule(distances), dtype=np.float64)
    if weights.shape != distances.shape:
        raise InvalidDataError(
            f"The function given as weights returned shape {weights.shape} for distances of shape "
            f"{distances.shape}; it must give one weight for each distance."
        )
    _refuse_odd(weights)
    return _without_infinities(weights)


def weights_of_lists(rule: Any, distances: Array, offsets: NDArray[np.int64]) -> Array:
    """As `weights_of`, for lists of different lengths one after the other."""
    if isinstance(rule, str):
        rule = NAMED[rule]
    if rule is None:
        rule = NAMED["uniform"]
    if isinstance(rule, WeightRule):
        return rule.of_lists(distances, offsets)
    made = rule(split(distances, offsets))
    weights = np.concatenate([np.asarray(each, dtype=np.float64) for each in made] or [distances])
    if weights.shape != distances.shape:
        raise InvalidDataError(
            f"The function given as weights returned {len(weights)} weights for {len(distances)} "
            "neighbours; it must give one weight for each distance."
        )
    _refuse_odd(weights)
    return weights


def _refuse_odd(weights: Array) -> None:
    if np.isnan(weights).any() or (weights < 0).any():
        raise InvalidDataError(
            "The function given as weights returned NaN or a negative number; weights are at least "
            "0."
        )
