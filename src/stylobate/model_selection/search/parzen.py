"""Tree-structured Parzen estimators: where good settings lie, and where the others do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from stylobate.arrays import Array, Indices

_DRAWN = 24  # proposals compared by the ratio of densities
_MOST_GOOD = 25
_WIDTH = 0.2  # of a kernel for one observation, as a share of the axis
_NARROWEST = 0.01


@dataclass(frozen=True)
class Parzen:
    r"""A mixture of product kernels on observations, and the uniform law as one more component.

    A number has the normal law around the observed place, cut off to [0, 1], of width
    :math:`0.2\, n^{-1/(d+4)}`; a choice keeps its value with a probability that grows with n and
    is any of the values otherwise.

    Parameters
    ----------
    places : array of shape (n, d)
        Places of the observations.
    n_choices : tuple of d int
        Number of values of each choice, 0 for numbers.
    """

    places: Array
    n_choices: tuple[int, ...]

    @property
    def width(self) -> float:
        """Standard deviation of the kernels of numbers."""
        n, d = self.places.shape
        return float(max(_WIDTH * max(n, 1) ** (-1.0 / (d + 4)), _NARROWEST))

    @property
    def kept(self) -> float:
        """Share of a choice's kernel that stays with the observed value."""
        n = len(self.places)
        return n / (n + 2.0)

    def draw(self, count: int, random: np.random.RandomState) -> Array:
        """So many places from the mixture."""
        n, d = self.places.shape
        component: Indices = random.randint(n + 1, size=count).astype(np.intp)
        found = np.empty((count, d))
        for axis, choices in enumerate(self.n_choices):
            uniform = random.uniform(size=count)
            if choices:
                found[:, axis] = self._chosen(axis, choices, component, uniform, random)
            else:
                found[:, axis] = self._around(axis, component, uniform)
        return found

    def log_density(self, at: Array) -> Array:
        """The logarithm of the mixture's density at some places."""
        n = len(self.places)
        kernels = np.zeros((len(at), n + 1))
        for axis, choices in enumerate(self.n_choices):
            if choices:
                same = at[:, axis, None] == self.places[None, :, axis]
                kernels[:, :n] += np.log(self.kept * same + (1.0 - self.kept) / choices)
                kernels[:, n] -= np.log(choices)
            else:
                kernels[:, :n] += self._log_kernel(at[:, axis], self.places[:, axis])
        top = kernels.max(axis=1)
        total = np.log(np.exp(kernels - top[:, None]).sum(axis=1))
        return np.asarray(top + total - np.log(n + 1))

    def _around(self, axis: int, component: Indices, uniform: Array) -> Array:
        """Normal draws around observations within [0, 1]; uniform ones of the last component."""
        from scipy.special import ndtr, ndtri

        n, found = len(self.places), uniform.copy()
        near = component < n
        centre = self.places[component[near], axis]
        low, high = ndtr(-centre / self.width), ndtr((1.0 - centre) / self.width)
        drawn = centre + self.width * ndtri(low + uniform[near] * (high - low))
        found[near] = np.clip(drawn, 0.0, 1.0)
        return found

    def _chosen(
        self,
        axis: int,
        choices: int,
        component: Indices,
        uniform: Array,
        random: np.random.RandomState,
    ) -> Array:
        n = len(self.places)
        found = random.randint(choices, size=len(uniform)).astype(float)
        stays = (component < n) & (uniform < self.kept)
        found[stays] = self.places[component[stays], axis]
        return found

    def _log_kernel(self, at: Array, centre: Array) -> Array:
        from scipy.special import ndtr

        inside = ndtr((1.0 - centre) / self.width) - ndtr(-centre / self.width)
        away = (at[:, None] - centre[None, :]) / self.width
        return np.asarray(-0.5 * away**2 - np.log(inside * self.width * np.sqrt(2.0 * np.pi)))


def n_good(n: int) -> int:
    """How many of so many observations count as good: a tenth and no more than 25.

    >>> n_good(7), n_good(40), n_good(1000)
    (1, 4, 25)
    """
    return min(ceil(0.1 * n), _MOST_GOOD)


def proposals(
    places: Array, n_choices: Sequence[int], count: int, random: np.random.RandomState
) -> Array:
    r"""Places drawn where good settings lie, the most promising first.

    Of places drawn from the density :math:`\ell` of the good settings those come first for which
    :math:`\ell / g`, with g the density of the others, is largest; that is also the order of
    expected improvement.

    Parameters
    ----------
    places : array of shape (n, d)
        Those of the settings so far, the best first.
    n_choices : sequence of d int
        Number of values of each choice, 0 for numbers.
    count : int
        How many are wanted at least.
    random : RandomState

    References
    ----------
    Bergstra, Bardenet, Bengio & Kégl (2011), Algorithms for hyper-parameter optimization, NeurIPS.
    """
    few, choices = n_good(len(places)), tuple(n_choices)
    good, others = Parzen(places[:few], choices), Parzen(places[few:], choices)
    drawn = good.draw(max(_DRAWN, 4 * count), random)
    promise = good.log_density(drawn) - others.log_density(drawn)
    return np.asarray(drawn[np.argsort(-promise, kind="stable")])
