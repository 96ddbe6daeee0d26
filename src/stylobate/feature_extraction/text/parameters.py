"""Constraints that the parameters of the vectorisers share."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from stylobate.base import Interval, Options
from stylobate.base.constraints import Constraint, is_number

#: Runs of two or more letters, digits and underscores.
TOKEN_PATTERN = r"(?u)\b\w\w+\b"


class NumberType(Constraint):
    """A dtype of numbers."""

    words = "a dtype of numbers"

    def accepts(self, value: Any) -> bool:
        try:
            return value is not None and np.dtype(value).kind in "biuf"
        except (TypeError, ValueError):
            return False

    def suspects(self) -> tuple[Any, ...]:
        return None, "no such dtype"


class TermLengths(Constraint):
    """The least and the most units of a term."""

    words = "a tuple (least, most) of integers in [1, inf)"

    def accepts(self, value: Any) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == 2
            and all(is_number(each, Integral) and each >= 1 for each in value)
        )

    def suspects(self) -> tuple[Any, ...]:
        return (1,), (0, 1), (1.0, 2), 2


class Words(Constraint):
    """A collection of strings."""

    words = "a list, tuple or set of strings"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list | tuple | set | frozenset) and all(
            isinstance(each, str) for each in value
        )

    def suspects(self) -> tuple[Any, ...]:
        return [1], "french"


class TermList(Constraint):
    """Terms, or a mapping of terms to columns."""

    words = "a mapping of terms to columns or an iterable of terms"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Iterable) and not isinstance(value, str | bytes)

    def suspects(self) -> tuple[Any, ...]:
        return 3, "words"


if TYPE_CHECKING:
    Input: TypeAlias = str
    DecodeError: TypeAlias = str
    Analyzer: TypeAlias = Any
    Accents: TypeAlias = Any
    Share: TypeAlias = float
    Dtype: TypeAlias = Any
    StopWords: TypeAlias = Any
    Vocabulary: TypeAlias = Any
    NgramRange: TypeAlias = tuple[int, int]
    Norm: TypeAlias = str | None
else:
    from collections.abc import Callable

    Input = Annotated[str, Options("content", "file", "filename")]
    DecodeError = Annotated[str, Options("strict", "ignore", "replace")]
    Analyzer = Annotated[str, Options("word", "char", "char_wb")] | Callable[..., Any]
    Accents = Annotated[str, Options("ascii", "unicode")] | Callable[..., Any] | None
    Share = Annotated[float, Interval(0, 1, closed="both")] | Annotated[int, Interval(1, inf)]
    Dtype = Annotated[Any, NumberType()]
    StopWords = Annotated[str, Options("english")] | Annotated[Any, Words()] | None
    Vocabulary = Annotated[Any, TermList()] | None
    NgramRange = Annotated[Any, TermLengths()]
    Norm = Annotated[str, Options("l1", "l2")] | None
