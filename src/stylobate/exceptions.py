"""Every error and warning the library raises, in one tree.

Each class also derives from the built-in (``ValueError``, ``TypeError`` …) that code written for
scikit-learn already catches. When scikit-learn is loaded in the same process, what is raised is
also an instance of scikit-learn's class of the same name (see `joined`), so its own ``except``
clauses and checks recognise it; scikit-learn is never imported for that.
"""

from __future__ import annotations

import sys
from typing import Any


class StylobateError(Exception):
    """Root of all errors raised by the library."""


class InvalidParameterError(StylobateError, ValueError, TypeError):
    """A constructor parameter has a value outside its declared range."""


class InvalidDataError(StylobateError, ValueError):
    """The data cannot be used as they are: shape, length, missing or infinite values, dtype."""


class UndecodableTextError(InvalidDataError, UnicodeDecodeError):
    """Bytes are no text in the encoding that was named; an instance of Python's own error too."""

    def __init__(self, owner: str, error: UnicodeDecodeError) -> None:
        UnicodeDecodeError.__init__(self, *error.args)
        self.owner = owner

    def __str__(self) -> str:
        start = max(self.start - 10, 0)
        shown, byte = self.object[start : self.start + 20], self.object[self.start]
        return (
            f"{self.owner}: the document {shown!r} (its bytes from {start}) is not text in "
            f"encoding={self.encoding!r}: byte {byte:#04x} at {self.start}, {self.reason}. Name "
            "its encoding, or set decode_error to 'replace' or 'ignore'."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.owner, UnicodeDecodeError(*self.args))


class DisconnectedGraphError(InvalidDataError, RuntimeError):
    """A graph falls into parts that cannot be joined; scikit-learn raises a RuntimeError."""


class UnsupportedDataError(StylobateError, TypeError, ValueError):
    """The kind of container or dtype is one this operation does not take (e.g. sparse)."""


class NumericalError(StylobateError, ArithmeticError, ValueError):
    """The numbers leave the range in which double precision can give a meaningful answer."""


class ModelFileError(StylobateError, ValueError):
    """A model cannot be written to a file, or a file is not a model that can be read."""


class FormulaError(StylobateError, ValueError):
    """A model cannot be written as a formula (SQL, ONNX); the text names the part that cannot."""


class ObjectiveError(StylobateError, ValueError):
    """A function to be minimised raises, has no finite value at the start or the wrong shape.

    Attributes
    ----------
    solution : Solution or None
        Where the run had come to, with its trace, if it had begun.
    """

    solution: Any = None


class NotFittedError(StylobateError, ValueError, AttributeError):
    """The estimator is used before `fit`."""


class BudgetSpentError(StylobateError, RuntimeError):
    """A hold-out has answered as often as it was allowed to, or has given its final score."""


class ClusterError(StylobateError, RuntimeError):
    """A cluster could not do its part: it is gone, a worker was lost too often, versions differ."""


class StylobateWarning(UserWarning):
    """Root of all warnings issued by the library."""


class ConvergenceWarning(StylobateWarning):
    """An iterative solver stopped before the asked tolerance; the text says what to change."""


class InferenceWarning(StylobateWarning):
    """Standard errors or p-values were asked for where they are not valid; the text says why."""


class DataConversionWarning(StylobateWarning):
    """The data were reshaped or converted in a way the caller may not have meant."""


class JoinWarning(StylobateWarning):
    """Rows of new facts that find no match in a table where all rows of the fit did."""


class DataDimensionalityWarning(StylobateWarning):
    """A projection was asked for more dimensions than the data have."""


class EfficiencyWarning(StylobateWarning):
    """The same answer could be had with less work; the text says how."""


class UndefinedMetricWarning(StylobateWarning):
    """A score has no value for these data (one class, one row …); the text says what was given."""


class FitFailedWarning(StylobateWarning, RuntimeWarning):
    """Some fits of a cross-validation failed and their scores were replaced; the text says why."""


_joined: dict[tuple[type[Any], type[Any]], type[Any]] = {}


def _join(kind: type[Any], peer: type[Any]) -> type[Any]:
    def reduce(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
        return kind, self.args  # another process rebuilds the plain class

    if (kind, peer) not in _joined:
        body = {"__module__": kind.__module__, "__reduce__": reduce}
        _joined[kind, peer] = type(kind.__name__, (kind, peer), body)
    return _joined[kind, peer]


def joined(kind: type[Any]) -> type[Any]:
    """`kind`, also derived from scikit-learn's class of that name if scikit-learn is loaded.

    >>> issubclass(joined(NotFittedError), NotFittedError)
    True
    """
    theirs = sys.modules.get("sklearn.exceptions")
    peer = getattr(theirs, kind.__name__, None)
    return kind if peer is None else _join(kind, peer)
