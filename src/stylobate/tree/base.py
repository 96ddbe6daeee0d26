"""What the tree estimators have in common: reading, growing, pruning, leaves and paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Tags
from stylobate.base.randomness import seed_of
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data import Table, read_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.tree.columns import ColumnCategories, read_features, refuse_other_width
from stylobate.tree.flat import FlatForest, Tree
from stylobate.tree.growing import Growth, resolve_growth
from stylobate.tree.parameters import CORE_NAMES
from stylobate.tree.pruning import PruningPath, prune, pruning_path
from stylobate.tree.shap import ExplainsRows, TreeSum

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from scipy.sparse import csr_array

Float = NDArray[np.float64]
_SPARSE_BLOCK = 4096  # rows of a sparse table that are dense at once


class TreeBase(ExplainsRows, BaseEstimator):
    """Root of the tree estimators; subclasses read their target and grow."""

    tree_: Tree
    n_outputs_: int
    max_features_: int
    column_categories_: ColumnCategories

    if TYPE_CHECKING:
        criterion: str
        random_state: Any
        ccp_alpha: float
        monotonic_cst: Any
        max_features: Any
        categorical_features: Any

        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...

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
        if not table.is_sparse:
            yield table.x
            return
        for start in range(0, table.n_rows, _SPARSE_BLOCK):
            yield table.x[start : start + _SPARSE_BLOCK].toarray()

    def _row_weights(self, sample_weight: Any, n_rows: int) -> Float | None:
        return read_weights(sample_weight, n_rows, owner=type(self).__name__)

    # --- growing --------------------------------------------------------------------------------

    def _growth(self, table: Table, weights: Float | None, signs: bool) -> Growth:
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

    def _seed(self) -> int:
        return seed_of(self.random_state)

    def _keep(self, tree: Tree) -> None:
        self.tree_ = prune(tree, self.ccp_alpha)

    # --- using ----------------------------------------------------------------------------------

    def _values(self, X: Any) -> Float:
        """Values of the rows' leaves, of shape (n, n_outputs, n_classes or 1)."""
        self._check_fitted()
        table = self._read_rows(X, reset=False)
        forest = FlatForest.of((self.tree_,), table.n_features)
        sums = [forest.add(block) for block in self._blocks(table)]
        stacked = sums[0] if len(sums) == 1 else np.concatenate(sums)
        return stacked.reshape(table.n_rows, *self.tree_.value.shape[1:])

    def _tree_sum(self) -> TreeSum:
        width = int(np.prod(self.tree_.value.shape[1:]))
        return TreeSum((self.tree_,), None, width, 1.0, np.zeros(width))

    def _tree_rows(self, X: Any) -> NDArray[Any]:
        return self._dense(self._read_rows(X, reset=False))

    def apply(self, X: Any, check_input: bool = True) -> NDArray[np.int64]:
        """The number of each row's leaf in ``tree_``.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        check_input : bool, default=True
            Accepted for compatibility; the input is always checked.

        Returns
        -------
        int64 array of shape (n,)
        """
        self._check_fitted()
        table = self._read_rows(X, reset=False)
        return np.concatenate([self.tree_.apply(block) for block in self._blocks(table)])

    def decision_path(self, X: Any, check_input: bool = True) -> csr_array[Any]:
        """Ones for the nodes each row passes.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        check_input : bool, default=True
            Accepted for compatibility; the input is always checked.

        Returns
        -------
        csr_array of shape (n, n_nodes)
        """
        from scipy.sparse import vstack

        self._check_fitted()
        table = self._read_rows(X, reset=False)
        parts = [self.tree_.decision_path(block) for block in self._blocks(table)]
        return parts[0] if len(parts) == 1 else vstack(parts, format="csr")

    def get_depth(self) -> int:
        """The most splits between the root and a leaf."""
        self._check_fitted()
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        self._check_fitted()
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Float:
        """The share of the decrease of impurity that each column brought."""
        self._check_fitted()
        return self.tree_.compute_feature_importances()

    def cost_complexity_pruning_path(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> PruningPath:
        """The trees that pruning with growing ``ccp_alpha`` passes.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        PruningPath
            With arrays ccp_alphas and impurities, as scikit-learn's, and n_leaves.
        """
        from stylobate.base import clone

        whole = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        return pruning_path(whole.tree_)

    # --- explaining -----------------------------------------------------------------------------

    def rules(self, *, max_depth: int | None = None, decimals: int = 3) -> list[str]:
        """Every leaf as one sentence: if …, then ….

        Parameters
        ----------
        max_depth : int, optional
            Nodes this deep stand for all below them.
        decimals : int, default=3
            Digits after the point.

        Returns
        -------
        list of str
        """
        from stylobate.tree.rules import rules_of

        self._check_fitted()
        return rules_of(self, max_depth=max_depth, decimals=decimals)

    def explain_row(self, X: Any, *, decimals: int = 3) -> str:
        """The way of one row down the tree, in words.

        Parameters
        ----------
        X : array-like or data frame of shape (1, n_features) or (n_features,)
            The row.
        decimals : int, default=3
            Digits after the point.

        Returns
        -------
        str
        """
        from stylobate.tree.rules import explain_row

        self._check_fitted()
        return explain_row(self, X, decimals=decimals)

    def plot(self, **options: Any) -> Axes:
        """Draw the tree; options as of `stylobate.tree.plot_tree`."""
        from stylobate.tree.drawing import plot_tree

        self._check_fitted()
        return plot_tree(self, **options)
