"""`RandomTreesEmbedding`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import RandomState, TransformerMixin
from stylobate.base.randomness import stream_of
from stylobate.base.validation import input_names
from stylobate.ensemble import forest_parameters as f
from stylobate.ensemble.forest_base import ForestBase
from stylobate.preprocessing.encoding.onehot_matrix import dense_ones, sparse_ones
from stylobate.tree import parameters as p
from stylobate.tree.flat import LEAF

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.ensemble.forest_growth import ForestRows
    from stylobate.formula.expressions import Expression
    from stylobate.preprocessing import OneHotEncoder


class RandomTreesEmbedding(TransformerMixin, ForestBase):
    r"""Rows as the leaves they reach in trees grown at random, without a target.

    Every split takes a column and a threshold at random, so a leaf is a random box that is small
    where rows are dense. A row becomes one 1 for each tree, in the column of its leaf:

    .. math:: \varphi_{t\ell}(x) = [x \text{ lies in leaf } \ell \text{ of tree } t], \qquad
              \tfrac1T\, \varphi(x)^\top \varphi(x') = \text{share of trees in which } x, x'
              \text{ meet}

    The scalar product is thus a measure of closeness that adapts to the density, and a linear model
    of these columns is a sum of step functions of boxes: a cheap way to learn what is not linear.
    It is also the beginning of methods that find clusters or outliers by random cuts.

    Parameters
    ----------
    n_estimators : int in [1, inf), default=100
        Trees.
    max_depth : int in [1, inf) or None, default=5
        Most splits above a leaf: a tree has at most 2 to that power.
    min_samples_split : int in [2, inf) or float in (0, 1], default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int in [1, inf) or float in (0, 1), default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Least share of the total weight in a leaf.
    max_leaf_nodes : int in [2, inf) or None, default=None
        Leaves of a tree at most.
    min_impurity_decrease : float in [0, inf), default=0.0
        What a split must bring on a target of random numbers; accepted for compatibility.
    sparse_output : bool, default=True
        Whether to return a sparse matrix (the container scikit-learn returns) or an array.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`, and the trees
        are the same for any number of them.
    random_state : int, RandomState, Generator or None, default=None
        One seed for each tree is drawn from it.
    verbose : int in [0, inf) or bool, default=0
        From 1 on, progress is shown in terminals and notebooks.
    warm_start : bool, default=False
        Whether `fit` keeps the trees there are and adds what is missing to `n_estimators`.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories: those of text and of a categorical type (of
        more than 32 categories, those with fewer than 20 rows count as missing there), or all
        categories of a mask, positions or names.

    Attributes
    ----------
    estimator_ : ExtraTreeRegressor
        What the members are, not fitted.
    estimators_ : list of ExtraTreeRegressor
        The trees as estimators; made when asked.
    feature_importances_ : array of shape (n_features,)
        The share of the splits' random gains by column: how often a column could be split.
    one_hot_encoder_ : OneHotEncoder
        From the numbers of leaves (`apply`) to the columns; made when asked.
    n_outputs_ : int
        1, as for a forest of one target.
    column_categories_ : ColumnCategories
        The categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    Two rings, one around the other: no line tells them apart, but one in the embedding does.

    >>> import numpy as np
    >>> from stylobate.ensemble import RandomTreesEmbedding
    >>> from stylobate.linear_model import LogisticRegression
    >>> angle = np.linspace(0.0, 2.0 * np.pi, 200)
    >>> radius = np.where(np.arange(200) % 2, 1.0, 2.0)
    >>> X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    >>> boxes = RandomTreesEmbedding(random_state=0).fit_transform(X)
    >>> bool((boxes.sum(axis=1) == 100).all())
    True
    >>> float(LogisticRegression().fit(boxes, radius).score(boxes, radius))
    1.0

    References
    ----------
    Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63. Moosmann,
    Triggs & Jurie (2006), Fast discriminative visual codebooks using randomized clustering forests,
    NeurIPS.
    """

    _random_splits = True
    # what the trees of a forest ask for and this one does not choose
    criterion = "squared_error"
    max_features = 1
    bootstrap = False
    oob_score = False
    max_samples = None
    ccp_alpha = 0.0
    monotonic_cst = None

    def __init__(
        self,
        n_estimators: f.Count = 100,
        *,
        max_depth: p.Depth = 5,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        sparse_output: bool = True,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: f.Verbose = 0,
        warm_start: bool = False,
        categorical_features: p.Categorical = "from_dtype",
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.sparse_output = sparse_output
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows. NaN is missing; frames may hold text and categories.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows; those of weight 0 are not seen.

        Returns
        -------
        self
        """
        self._fit(X, sample_weight)
        return self

    def _fit(self, X: Any, sample_weight: Any) -> Table:
        self._check_parameters()
        table = self._read_rows(X, reset=True)
        self._grow(self._learnt_rows(table, None, sample_weight))
        self._n_features_out = int(sum(tree.n_leaves for tree in self._trees))
        return table

    def _learnt_rows(self, table: Table, y: Any, sample_weight: Any) -> ForestRows:
        weights = self._row_weights(sample_weight, table.n_rows)
        # nearly all draws differ, so that no node is pure before it is as small as it may be
        noise = stream_of(self.random_state).uniform(size=(table.n_rows, 1))
        self.n_outputs_ = 1
        return self._rows_to_grow(table, noise, (), weights)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Grow the trees and return the leaves of the same rows.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        sparse matrix, array or frame of shape (n, n_leaves)
        """
        return self._embedded(self._fit(X, sample_weight))

    def transform(self, X: Any) -> Any:
        """One 1 for each tree: in the column of the leaf a row reaches.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        sparse matrix, array or frame of shape (n, n_leaves)
            Leaves of all trees side by side.
        """
        self._check_fitted()
        return self._embedded(self._read_rows(X, reset=False))

    def _embedded(self, table: Table) -> Any:
        forest = self._packed()
        leaves = np.concatenate([forest.apply(block) for block in self._blocks(table)])
        is_leaf = np.concatenate([tree.children_left == LEAF for tree in self._trees])
        column = np.cumsum(is_leaf) - 1  # of each node that is a leaf, all trees side by side
        places = column[leaves + forest.node_offsets[:-1]]
        make = sparse_ones if self.sparse_output else dense_ones
        shape = (table.n_rows, self._n_features_out)
        return self._wrap(make(places, shape, np.dtype(np.float64)), table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.trees import leaves_reached

        return leaves_reached(self._trees, columns, self.column_categories_.of)

    def _leaves(self) -> list[NDArray[np.intp]]:
        """Numbers of the leaves of each tree."""
        return [np.flatnonzero(tree.children_left == LEAF) for tree in self._trees]

    @property
    def one_hot_encoder_(self) -> OneHotEncoder:
        """From the numbers of leaves to the columns; made when asked."""
        from stylobate.preprocessing import OneHotEncoder

        self._check_fitted()
        leaves = self._leaves()
        first = np.array([[each[0] for each in leaves]])
        return OneHotEncoder(categories=leaves, sparse_output=self.sparse_output).fit(first)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names such as ``"randomtreesembedding_3_17"``: node 17 of tree 3.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns, only compared with those seen at `fit`.

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        input_names(self, input_features)
        prefix = type(self).__name__.lower()
        names = [
            f"{prefix}_{number}_{leaf}"
            for number, leaves in enumerate(self._leaves())
            for leaf in leaves.tolist()
        ]
        return np.array(names, dtype=object)

    _learns_in_shares = False  # its targets are drawn for all rows at once

    def _member_kind(self) -> type:
        from stylobate.tree import ExtraTreeRegressor

        return ExtraTreeRegressor

    def _as_member(self, model: Any) -> None:
        """A tree of random numbers knows nothing more."""

    def _score_left_out(self, x: Any, target: NDArray[Any]) -> None:
        raise NotImplementedError("every tree sees all rows")

    def _losses(self, y: Any, n_rows: int) -> Any:
        raise NotImplementedError("there is no target to lose by")
