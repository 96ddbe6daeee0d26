"""What cross-validation is given: rows, arguments of `fit`, and the splits of the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.base import BaseEstimator, is_classifier
from stylobate.data.indexing import as_slice, indexable, take_rows
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.splits import HashKFold, Split, check_cv
from stylobate.splits.splitter import count_rows, is_integer


@dataclass(frozen=True)
class Data:
    """Rows, targets and groups in containers that can be chosen from; arguments for `fit`."""

    x: Any
    y: Any
    groups: Any = None
    params: dict[str, Any] = field(default_factory=dict)
    of_stream: bool = False  # whether the rows were collected from a stream
    # with metadata routing: what the splitter and each scorer have asked for
    split_params: dict[str, Any] | None = None
    scorer_params: dict[str, dict[str, Any]] | None = None

    @classmethod
    def of(cls, X: Any, y: Any, groups: Any, params: Any) -> Data:
        """Take what the caller passed; refuses lengths that differ."""
        x, y, groups = (
            indexable(each, Input("cross-validation", name))
            for name, each in (("X", X), ("y", y), ("groups", groups))
        )
        data = cls(x, y, groups, dict(params or {}))
        lengths = [count_rows(each) for each in (data.x, data.y, data.groups) if each is not None]
        if len(set(lengths)) > 1:
            raise InvalidDataError(
                f"Found input variables with inconsistent numbers of samples: {lengths}; X, y and "
                "groups need one entry for each row."
            )
        return data

    @property
    def n_rows(self) -> int:
        return count_rows(self.x)

    def splits(self, cv: Any) -> list[Split]:
        """The splits of a splitter, as arrays."""
        asked = self.split_params
        pairs = (
            cv.split(self.x, self.y, self.groups)
            if asked is None
            else cv.split(self.x, self.y, **asked)
        )
        found = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
        if not found:
            raise InvalidDataError("cv holds no splits; give a number of folds or a splitter.")
        return found

    def splitter(self, cv: Any, estimator: Any) -> Any:
        """The splitter that ``cv`` stands for; of a stream's rows, a number means `HashKFold`."""
        if self.of_stream and (cv is None or is_integer(cv)):
            return HashKFold(5 if cv is None else cv)
        return splitter_of(cv, estimator, self.y)

    def chosen_params(self, rows: Any) -> dict[str, Any]:
        """The arguments of `fit` for some rows: those with an entry per row are chosen from."""
        return self.chosen(self.params, rows)

    def chosen(self, params: dict[str, Any], rows: Any) -> dict[str, Any]:
        """Some arguments for some rows."""
        return {name: self._chosen(value, rows) for name, value in params.items()}

    def _chosen(self, value: Any, rows: Any) -> Any:
        has_rows = hasattr(value, "__len__") or hasattr(value, "shape")
        if value is None or isinstance(value, str | bytes | dict) or not has_rows:
            return value
        if hasattr(value, "shape") and len(value.shape) == 0:
            return value
        return take_rows(indexable(value), rows) if count_rows(value) == self.n_rows else value


def chooser(estimator: Any) -> Callable[[Any], Any]:
    """How rows are handed to an estimator.

    Ours never change what they are given, so consecutive rows come as a view; others get a copy.
    """
    return as_slice if isinstance(estimator, BaseEstimator) else np.asarray


def pairwise_columns(estimator: Any, x: Any, train: Any) -> Any:
    """The columns of X that belong to the training rows, where X compares rows with rows.

    None for other estimators. Only a square X can be such a matrix, so few are asked.
    """
    shape: Any = getattr(x, "shape", ())
    if len(shape) != 2 or shape[0] != shape[1]:
        return None
    if isinstance(estimator, BaseEstimator):
        pairwise = estimator._tags().pairwise
    else:
        tags = getattr(estimator, "__sklearn_tags__", None)
        pairwise = tags is not None and tags().input_tags.pairwise
    return train if pairwise else None


def splitter_of(cv: Any, estimator: Any, y: Any) -> Any:
    """The splitter that ``cv`` stands for, given what is to be fitted."""
    return check_cv(cv, y, classifier=is_classifier(estimator))
