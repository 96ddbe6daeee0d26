"""Moments of a join's columns, remembered: fits on fewer columns then read no row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from stylobate.statistics import FullClassMoments, Moments, PooledClassMoments
from stylobate.statistics.groups.class_moments import ClassMoments

ClassesOf = tuple[str, tuple[str, ...], str | None]  # kind of moments, target, weight


@dataclass(eq=False)
class MomentsCache:
    """Moments by the columns and weights they are of.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> cache = MomentsCache()
    >>> rows = read_table([[1.0, 5.0], [2.0, 7.0]], [0.0, 1.0], owner="example")
    >>> cache.keep(("a", "b"), ("y",), None, Moments.of(rows))
    >>> cache.find(("b",), ("a",), None).mean.tolist(), cache.find(("c",), ("y",), None)
    ([6.0, 1.5], None)
    """

    known: dict[str | None, list[tuple[tuple[str, ...], Moments]]] = field(default_factory=dict)
    parts: dict[tuple[int, int], MomentsCache] = field(default_factory=dict)
    classes: dict[ClassesOf, list[tuple[tuple[str, ...], ClassMoments]]] = field(
        default_factory=dict
    )

    def of_part(self, facts: slice) -> MomentsCache:
        """What is remembered of a run of facts: of a fold.

        >>> cache = MomentsCache()
        >>> cache.of_part(slice(0, 5)) is cache.of_part(slice(0, 5))
        True
        """
        return self.parts.setdefault((facts.start, facts.stop), MomentsCache())

    def keep(
        self, features: Sequence[str], targets: Sequence[str], weight: str | None, found: Moments
    ) -> None:
        """Remember moments; those of columns that these have as well are forgotten."""
        names = (*features, *targets)
        kept = [each for each in self.known.get(weight, []) if not set(each[0]) <= set(names)]
        self.known[weight] = [*kept, (names, found)]

    def find(
        self, features: Sequence[str], targets: Sequence[str], weight: str | None
    ) -> Moments | None:
        """The moments of some columns if those of more are known."""
        wanted = (*features, *targets)
        for names, found in self.known.get(weight, []):
            if set(wanted) <= set(names):
                where = np.array([names.index(each) for each in wanted], dtype=np.intp)
                scatter = found.scatter[np.ix_(where, where)]
                return replace(
                    found, mean=found.mean[where], scatter=scatter, n_targets=len(targets)
                )
        return None

    def keep_classes(self, features: Sequence[str], what: ClassesOf, found: ClassMoments) -> None:
        """Remember moments of classes; those of columns that these have as well are forgotten."""
        known = self.classes.get(what, [])
        kept = [each for each in known if not set(each[0]) <= set(features)]
        self.classes[what] = [*kept, (tuple(features), found)]

    def find_classes(self, features: Sequence[str], what: ClassesOf) -> ClassMoments | None:
        """The moments of classes in some columns if those in more are known."""
        for names, found in self.classes.get(what, []):
            if set(features) <= set(names):
                where = np.array([names.index(each) for each in features], dtype=np.intp)
                scatter = found.scatter[..., where]
                if isinstance(found, FullClassMoments | PooledClassMoments):  # matrices
                    scatter = scatter[..., where, :]
                return replace(found, mean=found.mean[:, where], scatter=scatter)
        return None
