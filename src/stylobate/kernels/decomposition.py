"""Kernels as measures of pairs and what becomes of them, so that tiles can compute them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.distances.maps import IDENTITY, Map

Preparation = Callable[[Any], Any]


class Measure(NamedTuple):
    """A measure of pairs of rows: ``inner``, ``squared`` or ``manhattan``.

    Parameters
    ----------
    name : str
        What the core calls it.
    prepare : tuple of callables
        What becomes of the points first, one after the other: unit length, some columns.
    """

    name: str
    prepare: tuple[Preparation, ...] = ()


class Constant(NamedTuple):
    """The same number for all pairs."""

    value: float


class Factor(NamedTuple):
    """The value so far times f(x) f(y); f takes all points and gives each a number."""

    function: Callable[[Any], NDArray[np.float64]]
    prepare: tuple[Preparation, ...] = ()


Joint = Literal["add", "multiply"]
Step = Measure | Constant | Factor | Map | Joint


@dataclass(frozen=True, slots=True)
class Decomposition:
    r"""A kernel as :math:`\kappa(x, y) = f(m(x, y))`, or several such values joined.

    Parameters
    ----------
    steps : tuple
        In postfix order: a `Measure` or `Constant` puts a value, a `Map` or `Factor` changes the
        last one, ``"add"`` and ``"multiply"`` join the last two.

    Examples
    --------
    >>> from stylobate.kernels import RBF, Linear
    >>> parts = RBF(gamma=0.5).decomposition(3)
    >>> parts.measure.name, parts.map
    ('squared', Map(kind='exponential', a=-0.5, b=0.0, p=1.0))

    A sum has the steps of both; measures they share are computed once:

    >>> len((RBF(gamma=0.5) + 2 * RBF(gamma=2.0)).decomposition(3).measures)
    1
    """

    steps: tuple[Step, ...]

    @classmethod
    def of(cls, measure: str, mapping: Map = IDENTITY, *prepare: Preparation) -> Decomposition:
        """A map of a measure."""
        first = cls((Measure(measure, prepare),))
        return first if mapping == IDENTITY else first.then(mapping)

    def then(self, step: Map | Factor) -> Decomposition:
        """With a map or factor of the value so far."""
        return Decomposition((*self.steps, step))

    def joined(self, other: Decomposition, how: Joint) -> Decomposition:
        """The sum or product of both values."""
        return Decomposition((*self.steps, *other.steps, how))

    def prepared(self, by: Preparation) -> Decomposition:
        """The same of points that something is done to first."""
        return replace(
            self,
            steps=tuple(
                step._replace(prepare=(by, *step.prepare))
                if isinstance(step, Measure | Factor)
                else step
                for step in self.steps
            ),
        )

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The different measures, in order of their first use."""
        return tuple(dict.fromkeys(step for step in self.steps if isinstance(step, Measure)))

    @property
    def measure(self) -> Measure | None:
        """The one measure of a kernel that is a map of it; None for others."""
        return self.measures[0] if self._is_simple else None

    @property
    def map(self) -> Map | None:
        """The map of that measure."""
        if not self._is_simple:
            return None
        last = self.steps[-1]
        return last if isinstance(last, Map) else IDENTITY

    @property
    def _is_simple(self) -> bool:
        first, *others = self.steps
        alone = len(others) == 0 or (len(others) == 1 and isinstance(others[0], Map))
        return isinstance(first, Measure) and alone
