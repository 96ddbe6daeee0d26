"""Names of the columns that go into a column transformer and come out of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.composition.column_names import joint_names
from stylobate.base.validation import input_names
from stylobate.compose.specification import kind_of_specification
from stylobate.exceptions import InvalidDataError, ModelFileError

if TYPE_CHECKING:
    from stylobate.compose.assignment import Assignment
    from stylobate.data.columns import Columns


class NamesColumns:
    """Remembers the columns of `fit`, finds them again, and names those of the result."""

    if TYPE_CHECKING:
        n_features_in_: int
        verbose_feature_names_out: Any
        _plan: list[Assignment]

        def _check_fitted(self) -> None: ...

    def _remember(self, columns: Columns) -> None:
        self.n_features_in_ = columns.n_columns
        vars(self).pop("feature_names_in_", None)
        if columns.names is not None:
            self.feature_names_in_ = np.array(columns.names, dtype=object)

    def _check_loaded(self) -> None:
        """Refuse a plan of a file for columns there are not."""
        if "_plan" not in vars(self):
            return
        for each in self._plan if isinstance(self._plan, list) else [None]:
            at = getattr(each, "positions", None)
            if not isinstance(at, np.ndarray) or at.ndim != 1 or (at.size and at.dtype.kind != "i"):
                raise ModelFileError("The ColumnTransformer of the file has a plan that is none.")
            if at.size and (at.min() < 0 or at.max() >= self.n_features_in_):
                raise ModelFileError("The ColumnTransformer of the file reads columns it has not.")
            self._check_assignment(each)

    def _check_assignment(self, each: Assignment) -> None:
        """Refuse a transformer of a file that is none or has learnt other columns than its own."""
        part, count = each.transformer, len(each.positions)
        passes = isinstance(part, str) and part in ("drop", "passthrough")
        if not passes and not callable(getattr(part, "transform", None)):
            raise ModelFileError(
                f"The ColumnTransformer of the file has a {type(part).__name__} for a transformer."
            )
        learnt = getattr(part, "n_features_in_", count)
        if each.works and not passes and not each.vector and learnt != count:
            raise ModelFileError(
                f"The ColumnTransformer of the file gives {count} columns to {each.name[:50]!r}, "
                f"which has learnt {learnt}."
            )
        spec, names = each.columns, getattr(self, "feature_names_in_", None)
        said = spec if isinstance(spec, list) else [spec]
        if names is None or not all(isinstance(name, str) for name in said):
            return
        if [str(name) for name in names[each.positions]] != said:
            raise ModelFileError(
                f"The ColumnTransformer of the file has other columns for {each.name[:50]!r} than "
                "it names."
            )

    def _working(self) -> list[Assignment]:
        """The transformers that give columns."""
        return [each for each in self._plan if each.works]

    def _found(self, columns: Columns) -> list[Assignment]:
        """The working transformers with the positions of their columns in other rows."""
        seen = getattr(self, "feature_names_in_", None)
        working = self._working()
        if seen is None or columns.names is None:
            self._check_count(columns, [each.columns for each in working])
            return working
        place = {name: position for position, name in enumerate(columns.names)}
        needed = {seen[position] for each in working for position in each.positions}
        missing = sorted(needed - place.keys())
        if missing:
            raise InvalidDataError(
                f"columns are missing: {', '.join(map(repr, missing))}. "
                f"{type(self).__name__} was fitted with them; X has {len(columns.names)} columns."
            )
        return [
            replace(each, positions=np.array([place[seen[i]] for i in each.positions], dtype=int))
            for each in working
        ]

    def _check_count(self, columns: Columns, specifications: list[Any]) -> None:
        owner = type(self).__name__
        if columns.n_columns != self.n_features_in_:
            raise InvalidDataError(
                f"X has {columns.n_columns} features, but {owner} is expecting "
                f"{self.n_features_in_} features as input."
            )
        if any(kind_of_specification(each) == "str" for each in specifications):
            raise InvalidDataError(
                "Specifying the columns using strings is only supported for dataframes: "
                f"{owner} was told its columns by name, and this X has no names."
            )

    def _input_names(self, given: Any = None) -> NDArray[np.object_]:
        return input_names(self, given)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of all columns, transformer by transformer.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        ndarray of str objects
        """
        self._check_fitted()
        names = self._input_names(input_features)
        parts = []
        for each in self._working():
            part = each.transformer
            if not hasattr(part, "get_feature_names_out"):
                raise AttributeError(
                    f"Transformer {each.name} (type {type(part).__name__}) does not provide "
                    "get_feature_names_out."
                )
            parts.append((each.name, list(part.get_feature_names_out(names[each.positions]))))
        found = joint_names(parts, self.verbose_feature_names_out)
        return np.concatenate([np.array([], dtype=object), *found])
