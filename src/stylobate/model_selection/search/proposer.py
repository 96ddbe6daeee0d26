"""What to try next, given what became of the settings so far."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.model_selection.search.parzen import n_good, proposals
from stylobate.model_selection.search.search_space import SearchSpace, spaces_of

_TRIES = 100  # draws until a finite space is gone through for what has not been tried


@dataclass(frozen=True)
class Tried:
    """A setting and how good it was: (whether it was finished, how far it came, its score)."""

    space: int
    places: tuple[float, ...]
    merit: tuple[float, ...]


@dataclass
class Proposer:
    """Settings: first at random, then by tree-structured Parzen estimators.

    Parameters
    ----------
    param_distributions : dict or list of dict
    n_initial : int
        Settings drawn at random before anything is learnt.
    random : RandomState
    """

    param_distributions: Any
    n_initial: int
    random: np.random.RandomState
    spaces: list[SearchSpace] = field(init=False)
    tried: list[Tried] = field(default_factory=list)
    asked: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spaces = spaces_of(self.param_distributions)

    def most(self, n_iter: int) -> int:
        """``n_iter``, or how many settings there are if these are fewer, which is told."""
        size = sum(space.size for space in self.spaces)
        if size >= n_iter:
            return n_iter
        warnings.warn(
            f"The total space of parameters {int(size)} is smaller than n_iter={n_iter}. Running "
            f"{int(size)} iterations. For exhaustive searches, use GridSearchCV.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
        return int(size)

    def ask(self, count: int) -> list[dict[str, Any]]:
        """So many settings that were not asked before."""
        found = []
        for _ in range(count):
            space, places = self._next()
            self.asked.append((space, places))
            found.append(self.spaces[space].setting(places))
        return found

    def tell(self, merits: list[tuple[float, ...]]) -> None:
        """How good the settings last asked for were, in their order."""
        new = self.asked[len(self.tried) :]
        self.tried += [Tried(*each, merit) for each, merit in zip(new, merits, strict=True)]

    def _next(self) -> tuple[int, tuple[float, ...]]:
        seen = set(self.asked)
        for _ in range(_TRIES):
            space = self._space()
            for places in self._places(space):
                settled = self.spaces[space].settled(places)
                if (space, settled) not in seen:
                    return space, settled
        return self._left(seen)

    def _left(self, seen: set[tuple[int, tuple[float, ...]]]) -> tuple[int, tuple[float, ...]]:
        """One of the settings of the finite spaces that are left."""
        finite = [k for k, space in enumerate(self.spaces) if np.isfinite(space.size)]
        left = [(k, p) for k in finite for p in self.spaces[k].every() if (k, p) not in seen]
        return left[self.random.randint(len(left))]

    @property
    def _knows(self) -> bool:
        return len(self.tried) >= max(self.n_initial, 2)

    def _space(self) -> int:
        """Which of several dicts: by how many of the good settings came from each."""
        if len(self.spaces) == 1:
            return 0
        weights = np.ones(len(self.spaces))
        if self._knows:
            for each in self._best_first()[: 2 * n_good(len(self.tried))]:
                weights[each.space] += 1.0
        return int(self.random.choice(len(self.spaces), p=weights / weights.sum()))

    def _places(self, space: int) -> np.ndarray[Any, Any]:
        """Places to try, the most promising first."""
        choices = [axis.n_choices for axis in self.spaces[space].axes.values()]
        known = [each.places for each in self._best_first() if each.space == space]
        if not self._knows or len(known) < 2 or not choices:
            drawn = self.random.uniform(size=(1, len(choices)))
            for axis, n in enumerate(choices):
                if n > 1:
                    drawn[:, axis] = np.floor(drawn[:, axis] * n)
            return drawn
        modelled = [axis for axis, n in enumerate(choices) if n != 1]
        places = np.array(known, dtype=float).reshape(len(known), len(choices))
        found = self.random.uniform(size=(1, len(choices)))
        if not modelled:
            return found
        kinds = [choices[axis] for axis in modelled]
        better = proposals(places[:, modelled], kinds, 1, self.random)
        found = self.random.uniform(size=(len(better), len(choices)))
        found[:, modelled] = better
        return found

    def _best_first(self) -> list[Tried]:
        return sorted(self.tried, key=lambda each: each.merit, reverse=True)
