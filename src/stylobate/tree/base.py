"""What the tree estimators have in common: growing, pruning, leaves and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.randomness import seed_of
from stylobate.tree.flat import FlatForest, Tree
from stylobate.tree.loaded import check_trees
from stylobate.tree.pruning import PruningPath, prune, pruning_path
from stylobate.tree.reading import ReadsColumns
from stylobate.tree.shap import ExplainsRows, TreeSum

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from scipy.sparse import csr_array


class TreeBase(ExplainsRows, ReadsColumns):
    """Root of the tree estimators; subclasses read their target and grow."""

    tree_: Tree

    if TYPE_CHECKING:
        random_state: Any
        ccp_alpha: float

        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...

    def _seed(self) -> int:
        return seed_of(self.random_state)

    def _keep(self, tree: Tree) -> None:
        self.tree_ = prune(tree, self.ccp_alpha)

    def _check_loaded(self) -> None:
        """Refuse a tree out of a file that is not one of these columns and targets."""
        if "tree_" in vars(self):
            check_trees(self, [self.tree_])

    # --- using ----------------------------------------------------------------------------------

    def _values(self, X: Any) -> Array:
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
    def feature_importances_(self) -> Array:
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
