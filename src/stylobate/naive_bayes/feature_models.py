"""Models of one column within each class, learnt from what occurs there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.naive_bayes.bayes import log_of
from stylobate.naive_bayes.occurrences import NumberSums, Occurrences

_BLOCK = 1 << 22  # kernel values held at a time
_LARGEST = 1e140  # squares of larger numbers leave the range
_RATIO = 69.0  # log of the ratio of weights that sums can hold together


class FeatureModel(Protocol):
    """Log density of values under every class, with so many free parameters."""

    @property
    def n_parameters(self) -> int: ...

    def log_density(self, values: Sequence[Any] | NDArray[Any]) -> Array:
        """Array of shape (k, m); NaN for values the model knows nothing of."""


@dataclass(frozen=True, slots=True)
class Gaussian:
    r"""Normal: :math:`-\frac12 \log 2\pi\sigma_c^2 - (x - \mu_c)^2 / 2\sigma_c^2`.

    >>> seen = Occurrences([1.0, 3.0], np.array([[1.0, 1.0]]))
    >>> model = Gaussian.learn(seen.number_sums(), 0.0)
    >>> model.mean, model.variance
    (array([2.]), array([1.]))
    """

    mean: Array
    variance: Array

    @classmethod
    def learn(cls, seen: NumberSums, smoothing: float) -> Gaussian:
        return cls(*seen.mean_and_variance(smoothing))

    @property
    def n_parameters(self) -> int:
        return 2 * len(self.mean)

    def log_density(self, values: Sequence[Any] | NDArray[Any]) -> Array:
        v, var = np.asarray(values, dtype=np.float64), self.variance[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(
                -0.5 * np.log(2 * np.pi * var) - (v - self.mean[:, None]) ** 2 / (2 * var)
            )


@dataclass(frozen=True, slots=True)
class Categorical:
    r"""Shares of the categories: :math:`\log \frac{N_{ct} + \alpha}{n_c + \alpha m}`.

    >>> model = Categorical.learn(Occurrences(["a", "b"], np.array([[3.0, 1.0]])), 1.0)
    >>> np.exp(model.log_density(["a", "z"])).round(4)
    array([[0.6667,    nan]])
    """

    categories: tuple[Any, ...]
    log_share: Array

    @classmethod
    def learn(cls, seen: Occurrences, alpha: float) -> Categorical:
        smoothed = seen.counts + alpha
        total = smoothed.sum(axis=1, keepdims=True)
        empty = total[:, 0] == 0  # nothing known of the class, and no smoothing: the column's
        smoothed[empty] = seen.counts.sum(axis=0)
        total[empty] = smoothed[empty].sum(axis=1, keepdims=True)
        return cls(tuple(seen.values), log_of(smoothed) - np.log(total))

    @property
    def n_parameters(self) -> int:
        return len(self.log_share) * (len(self.categories) - 1)

    def log_density(self, values: Sequence[Any] | NDArray[Any]) -> Array:
        number = {value: t for t, value in enumerate(self.categories)}
        padded = np.column_stack([self.log_share, np.full(len(self.log_share), np.nan)])
        return np.asarray(padded[:, [number.get(value, -1) for value in values]])


@dataclass(frozen=True, slots=True)
class Poisson:
    r"""Counts: :math:`x \log \lambda_c - \lambda_c - \log x!`.

    The rate is :math:`\lambda_c = (\sum x + \alpha \bar x) / (n_c + \alpha)`: as if α rows with the
    column's mean had been seen in every class.

    >>> seen = Occurrences([0.0, 4.0], np.array([[1.0, 1.0]]))
    >>> Poisson.learn(seen.number_sums(), 1.0).rate
    array([2.])
    """

    rate: Array

    @classmethod
    def learn(cls, seen: NumberSums, alpha: float) -> Poisson:
        weight = seen.weight
        mean = seen.total.sum() / weight.sum()
        divisor = np.where(weight + alpha > 0, weight + alpha, 1.0)
        rate = np.where(weight + alpha > 0, (seen.total + alpha * mean) / divisor, mean)
        return cls(np.maximum(rate, np.finfo(np.float64).tiny))

    @property
    def n_parameters(self) -> int:
        return len(self.rate)

    def log_density(self, values: Sequence[Any] | NDArray[Any]) -> Array:
        from scipy.special import gammaln

        v, rate = np.asarray(values, dtype=np.float64), self.rate[:, None]
        whole = (v >= 0) & (v == np.floor(v))
        v = np.where(whole, v, 0.0)
        return np.where(whole, v * np.log(rate) - rate - gammaln(v + 1.0), np.nan)


@dataclass(frozen=True, slots=True)
class Multinomial:
    r"""One of several columns of counts that share one distribution: :math:`x \log \theta_c`."""

    log_share: Array

    @property
    def n_parameters(self) -> int:
        return len(self.log_share)

    def log_density(self, values: Sequence[Any] | NDArray[Any]) -> Array:
        v = np.asarray(values, dtype=np.float64)
        v = np.where(v >= 0, v, np.nan)
        return np.asarray(np.maximum(self.log_share, -1e300)[:, None] * v)


@dataclass(frozen=True, slots=True)
class KernelDensity:
    r"""A normal kernel on every value seen: :math:`\log \frac1{n_c h_c} \sum_i w_i
    \varphi((x - x_i) / h_c)`.

    >>> model = KernelDensity.learn(Occurrences([0.0, 2.0], np.array([[1.0, 1.0]])), 1.0)
    >>> np.exp(model.log_density([1.0])).round(6)
    array([[0.241971]])
    """

    values: Array
    log_weight: Array
    bandwidth: Array

    @classmethod
    def learn(cls, seen: Occurrences, bandwidth: float | str) -> KernelDensity:
        counts = np.where(seen.counts.any(axis=1, keepdims=True), seen.counts, seen.counts.sum(0))
        weight = counts.sum(axis=1, keepdims=True)
        if isinstance(bandwidth, str):
            factor = 1.0 if bandwidth == "scott" else (4.0 / 3.0) ** 0.2
            _, variance = seen.number_sums().mean_and_variance(1e-9)
            width = factor * np.sqrt(variance) * weight[:, 0] ** -0.2  # a weight counts rows
        else:
            width = np.full(len(counts), float(bandwidth))
        return cls(seen.numbers, log_of(counts / weight), width)

    @property
    def n_parameters(self) -> int:
        """Values and their shares, all but one of which are free, and a width: of every class."""
        return 2 * int(np.isfinite(self.log_weight).sum())

    def log_density(self, values: Sequence[Any] | NDArray[Any]) -> Array:
        v = np.asarray(values, dtype=np.float64)
        out = np.full((len(self.bandwidth), len(v)), np.nan)
        seen = ~np.isnan(v)
        for c, width in enumerate(self.bandwidth):
            own = np.isfinite(self.log_weight[c])
            sums = _log_sums(v[seen], self.values[own], self.log_weight[c][own], float(width))
            out[c, seen] = sums - np.log(width) - 0.5 * np.log(2 * np.pi)
        return out


def _log_sums(v: Array, centres: Array, logs: Array, width: float) -> Array:
    """Log Σ exp(log w - ((v - centre) / h)² / 2), by the core's tree of boxes where it can be."""
    size = max(np.abs(centres).max(), np.abs(v).max(initial=0.0), width, 1.0 / width)
    if size < _LARGEST and logs.max() - logs.min() < _RATIO:
        weights = np.exp(logs - logs.max())
        sums = _core.log_bump_sums(v[:, None], centres[:, None], "gaussian", width, weights)
        return np.asarray(sums + logs.max())
    sums = np.empty(len(v))
    step = max(1, _BLOCK // max(1, len(centres)))
    for first in range(0, len(v), step):
        with np.errstate(over="ignore"):
            terms = logs - 0.5 * ((v[first : first + step, None] - centres) / width) ** 2
        top = terms.max(axis=1)
        with np.errstate(invalid="ignore"):
            total = np.log(np.exp(terms - top[:, None]).sum(axis=1))
        sums[first : first + step] = np.where(np.isinf(top), top, top + total)
    return sums


def multinomials(columns: Sequence[NumberSums], alpha: float) -> list[Multinomial]:
    r"""One model of each of some columns of counts, which share a distribution.

    .. math:: \theta_{cj} = \frac{N_{cj} + \alpha}{\sum_l (N_{cl} + \alpha)}

    >>> seen = [Occurrences([2.0], np.array([[1.0]])), Occurrences([0.0], np.array([[1.0]]))]
    >>> sums = [each.number_sums() for each in seen]
    >>> [np.exp(each.log_share).round(9).item() for each in multinomials(sums, 1.0)]
    [0.75, 0.25]
    """
    sums = np.stack([each.total for each in columns], axis=1) + alpha
    total = sums.sum(axis=1, keepdims=True)
    total[total == 0] = 1.0
    logs = log_of(sums) - np.log(total)
    return [Multinomial(each) for each in logs.T]
