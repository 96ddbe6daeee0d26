"""Constraints on constructor parameters: small values that judge a value and say what is allowed.

They stand in the annotations of a constructor, ``alpha: Annotated[float, Interval(0, inf)]``;
`stylobate.base.parameters` reads them from there.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isfinite, nan
from numbers import Integral, Real
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np


class Constraint(ABC):
    """What a parameter may be: a test, the words for it, and values that fail the test."""

    @abstractmethod
    def accepts(self, value: Any) -> bool:
        """Whether `value` is allowed."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What is allowed, to follow "must be"."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.words}>"

    def suspects(self) -> tuple[Any, ...]:
        """Values near the edge of what is allowed."""
        return ()

    def counterexamples(self) -> Iterator[Any]:
        """Some values that are refused, for tests."""
        candidates = (_Stranger(), *self.suspects())
        return (value for value in candidates if not self.accepts(value))


class _Stranger:
    """An object no constraint (except `Anything`) accepts."""

    def __repr__(self) -> str:
        return "<a stranger>"


MOST_WHOLE = 2**63 - 1  # what the compiled core and NumPy's sizes can count to


def is_number(value: Any, kind: type[Real] | type[Integral] = Real) -> bool:
    """Whether `value` is a Python or NumPy number of that kind; truth values are not numbers."""
    return isinstance(value, kind) and not isinstance(value, bool | np.bool_)


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Anything(Constraint):
    """No constraint. Public estimators do not use it; the contract check refuses it."""

    words = "anything"

    def accepts(self, value: Any) -> bool:
        return True


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Interval(Constraint):
    """Numbers between two bounds; NaN is in no interval.

    Parameters
    ----------
    low, high : float
        Bounds; ``-inf`` and ``inf`` leave a side open-ended.
    closed : {"left", "right", "both", "neither"}, default="left"
        Which bounds belong to the interval.
    whole : bool, default=False
        Whether only integers count. Set from the annotation: ``Annotated[int, Interval(1, inf)]``.

    Examples
    --------
    >>> Interval(0, inf).accepts(0.0), Interval(0, inf, closed="neither").accepts(0.0)
    (True, False)
    >>> Interval(0, inf, closed="right").words
    'a number in (0, inf]'
    """

    low: float
    high: float
    closed: Literal["left", "right", "both", "neither"] = "left"
    whole: bool = False

    def accepts(self, value: Any) -> bool:
        if not is_number(value, Integral if self.whole else Real):
            return False
        if self.whole and abs(int(value)) > MOST_WHOLE:
            return False
        above = value >= self.low if self.closed in ("left", "both") else value > self.low
        below = value <= self.high if self.closed in ("right", "both") else value < self.high
        return bool(above and below)

    @property
    def words(self) -> str:
        kind = "an integer" if self.whole else "a number"
        left = "[" if self.closed in ("left", "both") and self.low != -inf else "("
        right = "]" if self.closed in ("right", "both") else ")"
        return f"{kind} in {left}{self.low}, {self.high}{right}"

    def suspects(self) -> tuple[Any, ...]:
        ends = [end for end in (self.low, self.high) if isfinite(end)]
        return "1", True, nan, *ends, *(end - 1 for end in ends), *(end + 1 for end in ends)


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Number(Constraint):
    """Any number except NaN (``float``), or any integer (``int``)."""

    whole: bool = False

    def accepts(self, value: Any) -> bool:
        return is_number(value, Integral if self.whole else Real) and bool(value == value)

    @property
    def words(self) -> str:
        return "an integer" if self.whole else "a number"

    def suspects(self) -> tuple[Any, ...]:
        return "1", True, nan


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Numbers(Constraint):
    """A non-empty array-like of finite numbers, each in an interval; of one dimension, or `ndim`.

    >>> Numbers(0, inf).accepts([0.1, 1, 10]), Numbers(0, inf).accepts([-1.0])
    (True, False)
    """

    low: float = -inf
    high: float = inf
    closed: Literal["left", "right", "both", "neither"] = "left"
    ndim: int = 1

    def accepts(self, value: Any) -> bool:
        if isinstance(value, str | bytes) or not hasattr(value, "__len__"):
            return False
        try:
            array = np.asarray(value)
        except (TypeError, ValueError):  # ragged, or a container NumPy cannot read
            return False
        if array.ndim != self.ndim or array.size == 0 or array.dtype.kind not in "iuf":
            return False
        if not np.isfinite(array).all():
            return False
        return all(self._each.accepts(end) for end in (array.min(), array.max()))

    @property
    def _each(self) -> Interval:
        return Interval(self.low, self.high, self.closed)

    @property
    def words(self) -> str:
        interval = self._each.words.removeprefix("a number in ")
        shape = "list or 1-D" if self.ndim == 1 else f"{self.ndim}-D"
        return f"a non-empty {shape} array of numbers in {interval}"

    def suspects(self) -> tuple[Any, ...]:
        return [], ["a"], [nan], *([value] for value in self._each.suspects())


class Options(Constraint):
    """One of a few strings (or other plain constants, compared by type and value).

    >>> Options("auto", "cholesky").words
    "'auto' or 'cholesky'"
    """

    def __init__(self, *options: Any) -> None:
        self.options = options

    def accepts(self, value: Any) -> bool:
        return any(type(value) is type(option) and value == option for option in self.options)

    @property
    def words(self) -> str:
        quoted = [repr(option) for option in self.options]
        if len(quoted) < 3:
            return " or ".join(quoted)
        return "one of " + ", ".join(quoted)

    def suspects(self) -> tuple[Any, ...]:
        return ("no such option",)

    def __repr__(self) -> str:
        return f"Options{self.options!r}"


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Text(Constraint):
    """Any string."""

    words = "a string"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str)


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Truth(Constraint):
    """True or False; Python's or NumPy's."""

    words = "True or False"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool | np.bool_)

    def suspects(self) -> tuple[Any, ...]:
        return 0, "true"


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Nothing(Constraint):
    """``None``."""

    words = "None"

    def accepts(self, value: Any) -> bool:
        return value is None


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Instance(Constraint):
    """An instance of a class."""

    kind: type

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self.kind)

    @property
    def words(self) -> str:
        name = self.kind.__name__
        return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class CallableObject(Constraint):
    """Something that can be called."""

    words = "a callable"

    def accepts(self, value: Any) -> bool:
        return callable(value)


class HasMethods(Constraint):
    """An object (not a class) with the named methods: an estimator, a splitter.

    >>> HasMethods("fit", "predict").words
    'an object with fit and predict'
    """

    def __init__(self, *methods: str) -> None:
        self.methods = methods

    def accepts(self, value: Any) -> bool:
        if isinstance(value, type):
            return False
        return all(callable(getattr(value, method, None)) for method in self.methods)

    @property
    def words(self) -> str:
        return "an object with " + " and ".join(self.methods)


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class Seed(Constraint):
    """A seed for random numbers: None, an integer below 2**32, a NumPy generator."""

    words = "None, an integer in [0, 4294967295] or a NumPy random generator"

    def accepts(self, value: Any) -> bool:
        if value is None:
            return True
        if is_number(value, Integral):
            return bool(0 <= value < 2**32)
        # numpy.random takes time to load, and without it no generator can exist
        random = sys.modules.get("numpy.random")
        return random is not None and isinstance(value, random.RandomState | random.Generator)

    def suspects(self) -> tuple[Any, ...]:
        return -1, 2**32, 0.5


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class AnyOf(Constraint):
    """What at least one of several constraints accepts (a union in the annotation)."""

    members: tuple[Constraint, ...]

    def accepts(self, value: Any) -> bool:
        return any(member.accepts(value) for member in self.members)

    @property
    def words(self) -> str:
        *most, last = (member.words for member in self.members)
        return f"{', '.join(most)} or {last}" if most else last

    def suspects(self) -> tuple[Any, ...]:
        return tuple(value for member in self.members for value in member.suspects())


@dataclass(eq=False, repr=False)  # cheap to define: the package imports fast
class AllOf(Constraint):
    """What every one of several constraints accepts (several marks in one ``Annotated``)."""

    members: tuple[Constraint, ...]

    def accepts(self, value: Any) -> bool:
        return all(member.accepts(value) for member in self.members)

    @property
    def words(self) -> str:
        return " that is also ".join(member.words for member in self.members)

    def suspects(self) -> tuple[Any, ...]:
        return tuple(value for member in self.members for value in member.suspects())


if TYPE_CHECKING:
    RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None
else:
    RandomState = Annotated[Any, Seed()]
