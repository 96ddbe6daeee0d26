"""Rows and parameters as trees and forests read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags, class_weights
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data import Table, read_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.tree.columns import ColumnCategories, read_features, refuse_other_width
from stylobate.tree.flat import blocks_of
from stylobate.tree.growing import Growth, resolve_growth
from stylobate.tree.parameters import CORE_NAMES


class ReadsColumns(BaseEstimator):
    """An estimator whose columns are numbers or categories, and which grows trees."""

    n_outputs_: int
    max_features_: int
    column_categories_: ColumnCategories

    if TYPE_CHECKING:
        criterion: str
        monotonic_cst: Any
        max_features: Any
        categorical_features: Any

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, allow_nan=True, multi_output=True, categorical=True)

    # --- reading --------------------------------------------------------------------------------

    def _read_rows(self, X: Any, *, reset: bool) -> Table:
        """X as numbers and codes; remembers (`reset`) or compares its columns."""
        owner = type(self).__name__
        if not reset:
            compare_frame_names(self, X)
        known = None if reset else self.column_categories_
        table, categories = read_features(
            X, owner=owner, known=known, categorical=self.categorical_features
        )
        if reset:
            remember_features(self, table)
            self.column_categories_ = categories
        else:
            compare_features(self, table)
            refuse_other_width(categories, table)
        return table

    def _dense(self, table: Table) -> NDArray[Any]:
        return np.asarray(table.x.toarray() if table.is_sparse else table.x)

    def _blocks(self, table: Table) -> Iterator[NDArray[Any]]:
        """The rows as dense blocks; one if they are dense."""
        yield from blocks_of(table.x)

    def _row_weights(self, sample_weight: Any, n_rows: int) -> Array | None:
        return read_weights(sample_weight, n_rows, owner=type(self).__name__)

    # --- growing --------------------------------------------------------------------------------

    def _growth(self, table: Table, weights: Array | None, signs: bool) -> Growth:
        total = float(table.n_rows if weights is None else weights.sum())
        growth = resolve_growth(
            self,
            CORE_NAMES.get(self.criterion, self.criterion),
            table.n_rows,
            table.n_features,
            total,
            self._signs(table.n_features) if signs else None,
        )
        self.max_features_ = growth.max_features
        return growth

    def _signs(self, n_features: int) -> tuple[int, ...] | None:
        """The signs of monotonic_cst, checked; None if there are none."""
        if self.monotonic_cst is None:
            return None
        owner = type(self).__name__
        signs = np.asarray(self.monotonic_cst)
        if signs.shape != (n_features,):
            raise InvalidParameterError(
                f"{owner}: monotonic_cst has shape {signs.shape} but the input data X has "
                f"{n_features} features; give one sign for each."
            )
        if not np.isin(signs, (-1, 0, 1)).all():
            raise InvalidParameterError(
                f"{owner}: monotonic_cst must be None or an array-like of -1, 0 or 1, got "
                f"{signs.tolist()!r}."
            )
        if not signs.any():
            return None
        if self.n_outputs_ > 1:
            raise InvalidDataError(
                f"{owner}: Monotonicity constraints are not supported with multiple outputs."
            )
        return tuple(int(sign) for sign in signs)


def with_class_weights(
    class_weight: Any,
    classes: list[NDArray[Any]],
    codes: NDArray[np.int64],
    weights: Array | None,
    owner: str,
) -> Array | None:
    """Weights of the rows times those of their classes, of all outputs."""
    if class_weight is None:
        return weights
    if isinstance(class_weight, list) and len(class_weight) != len(classes):
        raise InvalidParameterError(
            f"{owner}: class_weight is a list of {len(class_weight)}, but y has {len(classes)} "
            "output(s); give one dictionary for each."
        )
    if isinstance(class_weight, dict) and len(classes) > 1:
        raise InvalidParameterError(
            f"{owner}: for several outputs, class_weight should be a list of dictionaries or "
            "'balanced'."
        )
    product = np.ones(len(codes)) if weights is None else weights.copy()
    for place, labels in enumerate(classes):
        each = class_weight[place] if isinstance(class_weight, list) else class_weight
        column = codes[:, place]
        product *= class_weights(each, labels, column, owner=owner)[column]
    return product
