"""Exact Shapley values of trees and of sums of trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import UnsupportedDataError
from stylobate.tree.flat import Tree


class TreeSum(NamedTuple):
    """A model that is a sum of trees: offset + scale · Σ values of a row's leaves.

    Attributes
    ----------
    trees : sequence of Tree
        In the order in which they are summed.
    columns : int32 array of shape (n_trees,) or None
        Which output each tree adds to, where its values are single numbers; None: all outputs.
    n_outputs : int
        Numbers that are predicted.
    scale : float
        1 / n_trees for a mean.
    offset : array of shape (n_outputs,)
        What is predicted without trees.
    """

    trees: Sequence[Tree]
    columns: NDArray[np.int32] | None
    n_outputs: int
    scale: float
    offset: Array


@dataclass(frozen=True, eq=False)
class ShapValues:
    """What each column adds to the prediction of each row.

    ``base_values`` plus the sum of a row's ``values`` over the columns is its prediction.

    Parameters
    ----------
    values : array of shape (n, n_features) or (n, n_features, n_outputs)
        Of one or of several outputs.
    base_values : float, or array of shape (n_outputs,)
        The mean prediction when nothing is known of a row.
    names : tuple of str or None
        Of the columns.
    """

    values: Array
    base_values: Any
    names: tuple[str, ...] | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def ranking(self) -> list[tuple[str, float]]:
        """Columns by their mean absolute value, the largest first."""
        sizes = np.abs(self.values).mean(axis=0)
        sizes = sizes if sizes.ndim == 1 else sizes.sum(axis=1)
        names = self.names or tuple(f"x{j}" for j in range(len(sizes)))
        return [(names[j], float(sizes[j])) for j in np.argsort(-sizes, kind="stable")]


def tree_shap(sum_: TreeSum, X: NDArray[Any], background: NDArray[Any] | None = None) -> ShapValues:
    r"""Shapley values of a sum of trees, exactly.

    .. math:: \varphi_i = \sum_{S \not\ni i} \frac{|S|!\,(p - |S| - 1)!}{p!}
              \big(v(S \cup \{i\}) - v(S)\big)

    Without a background, v(S) is the mean over the tree's leaves that a row with only the columns
    of S known may reach, each side of an unknown split weighted by its training rows (Lundberg's
    "path-dependent" values). With one, v(S) is the mean prediction over its rows with the columns
    of S replaced by the row's ("interventional").

    Parameters
    ----------
    sum_ : TreeSum
        The trees.
    X : float64 or float32 array of shape (n, n_features)
        Rows; NaN is missing, categories are codes.
    background : array of shape (m, n_features), optional
        Rows that unknown columns are taken from.

    Returns
    -------
    ShapValues

    Examples
    --------
    >>> stump = Tree.of(
    ...     children_left=[1, -1, -1], children_right=[2, -1, -1], feature=[0, -2, -2],
    ...     threshold=[0.5, -2, -2], value=[[[1.25]], [[1.0]], [[2.0]]], n_features=2,
    ...     n_node_samples=[4, 3, 1],
    ... )
    >>> one = TreeSum([stump], None, 1, 1.0, np.zeros(1))
    >>> found = tree_shap(one, np.array([[0.2, 7.0], [0.7, 7.0]]))
    >>> found.base_values, found.values.tolist()
    (1.25, [[-0.25, 0.0], [0.75, 0.0]])

    References
    ----------
    Lundberg et al. (2020), From local explanations to global understanding with explainable AI for
    trees, Nature Machine Intelligence 2.
    """
    rows = np.asarray(X)
    rows = rows if rows.dtype in (np.float64, np.float32) else rows.astype(np.float64)
    others = None if background is None else np.asarray(background, dtype=rows.dtype)
    core = _core.TreeShap(list(sum_.trees), rows.shape[1])
    values = sum_.scale * core.values(rows, others, sum_.columns, sum_.n_outputs)
    if others is None:
        base = sum_.offset + sum_.scale * core.expectation(sum_.columns, sum_.n_outputs)
    else:
        from stylobate.tree.flat import FlatForest

        forest = FlatForest.of(tuple(sum_.trees), rows.shape[1])
        sums = forest.add(others, columns=sum_.columns, n_columns=sum_.n_outputs)
        base = sum_.offset + sum_.scale * sums.mean(axis=0)
    if sum_.n_outputs == 1:
        return ShapValues(values[:, :, 0], float(base[0]))
    return ShapValues(values, base)


class ExplainsRows:
    """`shap_values` for models that are sums of trees: they write `_tree_sum` and `_tree_rows`."""

    def _tree_sum(self) -> TreeSum:
        raise NotImplementedError

    def _tree_rows(self, X: Any) -> NDArray[Any]:
        """Rows as the trees see them."""
        raise NotImplementedError

    def shap_values(self, X: Any, background: Any = None) -> ShapValues:
        """What each column adds to the prediction of each row (exact Shapley values).

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows to explain.
        background : array-like or data frame of shape (m, n_features), optional
            Rows that unknown columns are taken from; by default each side of an unknown split
            counts as the training rows on it.

        Returns
        -------
        ShapValues
            ``values`` of shape (n, n_features), or (n, n_features, n_outputs) of several outputs;
            with ``base_values`` they sum to what the trees predict.
        """
        self._check_fitted()  # type: ignore[attr-defined]
        rows = self._tree_rows(X)
        others = None if background is None else self._tree_rows(background)
        found = tree_shap(self._tree_sum(), rows, others)
        names = getattr(self, "feature_names_in_", None)
        return ShapValues(
            found.values, found.base_values, None if names is None else tuple(map(str, names))
        )


def shap_values(model: Any, X: Any, background: Any = None) -> ShapValues:
    """Exact Shapley values of a fitted tree, forest or boosting model.

    Parameters
    ----------
    model : estimator
        Anything that is a sum of trees.
    X : array-like or data frame of shape (n, n_features)
        Rows to explain.
    background : array-like or data frame of shape (m, n_features), optional
        Rows that unknown columns are taken from; the trees' own training rows by default.

    Returns
    -------
    ShapValues

    Examples
    --------
    >>> from stylobate.ensemble import HistGradientBoostingRegressor
    >>> X = np.arange(80.0).reshape(40, 2)
    >>> model = HistGradientBoostingRegressor(max_iter=3, min_samples_leaf=5).fit(X, X[:, 0])
    >>> found = shap_values(model, X)
    >>> bool(np.allclose(found.values.sum(axis=1) + found.base_values, model.predict(X)))
    True
    """
    if not isinstance(model, ExplainsRows):
        raise UnsupportedDataError(
            f"shap_values: {type(model).__name__} is no sum of trees; pass a decision tree, a "
            "forest or a boosting model of stylobate."
        )
    return model.shap_values(X, background)
