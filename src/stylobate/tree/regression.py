"""Trees that predict numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from stylobate.arrays import Array
from stylobate.base import RandomState, RegressorMixin
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.target import read_target
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.tree import parameters as p
from stylobate.tree.base import TreeBase
from stylobate.tree.growing import grow_numbers

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class TreeRegressorBase(RegressorMixin, TreeBase):
    """Numeric targets, one or several."""

    _y_is_vector: bool

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows. NaN is missing; frames may hold text and categories. Sparse rows are never made
            dense; the tree is that of the dense ones.
        y : array-like of shape (n,) or (n, n_outputs)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.
        check_input : bool, default=True
            Accepted for compatibility; the input is always checked.

        Returns
        -------
        self
        """
        self._check_parameters()
        p.warn_of_friedman_mse(self.criterion)
        table = self._read_rows(X, reset=True)
        target = self._target(y, table.n_rows)
        weights = self._row_weights(sample_weight, table.n_rows)
        self.n_outputs_ = target.shape[1]
        growth = self._growth(table, weights, signs=True)
        (tree,) = grow_numbers(
            table.x, target, growth=growth, seeds=[self._seed()], weights=weights,
            categories=self.column_categories_.counts,
        )  # fmt: skip
        self._keep(tree)
        return self

    def _target(self, y: Any, n_rows: int) -> Array:
        owner = type(self).__name__
        if y is None:
            raise InvalidDataError(
                f"This {owner} estimator requires y to be passed, but the target y is None."
            )
        target, self._y_is_vector, finite = read_target(y, n_rows, owner=owner)
        if not finite:
            refuse_nonfinite(target, Input(owner, "y"))
        if self.criterion == "poisson":
            if (target < 0.0).any():
                raise InvalidDataError(
                    f"{owner}: Some value(s) of y are negative which is not allowed for Poisson "
                    "regression."
                )
            if target.sum() <= 0.0:
                raise InvalidDataError(
                    f"{owner}: Sum of y is not positive which is necessary for Poisson regression."
                )
        return target

    def predict(self, X: Any, check_input: bool = True) -> Array:
        """The value of each row's leaf.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        check_input : bool, default=True
            Accepted for compatibility; the input is always checked.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
        """
        values = self._values(X)[:, :, 0]
        return values if self.n_outputs_ > 1 else values[:, 0]

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.trees import trees_answer

        return trees_answer([self.tree_], columns, self.column_categories_.of)


class DecisionTreeRegressor(TreeRegressorBase):
    r"""A tree of questions about single columns whose leaves hold numbers.

    Every split is the one, of all columns and all thresholds (or sets of categories), that lowers

    .. math:: \sum_{i \in \text{left}} \ell(y_i, a_\text{left})
        + \sum_{i \in \text{right}} \ell(y_i, a_\text{right})

    the most, where a is the best constant of each side: the mean, or for absolute errors the
    median.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson", "friedman_mse"}, \
default="squared_error"
        ℓ. Absolute errors use exact medians, in O(n log n) for a column. "friedman_mse" is an old
        name of "squared_error".
    splitter : {"best", "random"}, default="best"
        "random": one threshold of each column, drawn evenly between its ends, is tried.
    max_depth : int in [1, inf) or None, default=None
        Most splits above a leaf.
    min_samples_split : int in [2, inf) or float in (0, 1], default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int in [1, inf) or float in (0, 1), default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Least share of the total weight in a leaf.
    max_features : int, float in (0, 1], {"sqrt", "log2"} or None, default=None
        Columns that are looked at for a split, drawn anew for each node; None for all.
    random_state : int, RandomState, Generator or None, default=None
        For the columns and thresholds drawn. Without draws it changes nothing: of equally good
        splits the first column's, then the smallest threshold, is taken.
    max_leaf_nodes : int in [2, inf) or None, default=None
        Grow the best splits first until there are so many leaves.
    min_impurity_decrease : float in [0, inf), default=0.0
        What a split must bring: the decrease of impurity, weighted by the share of rows.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf; branches not worth it are pruned.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        1: the prediction never falls with the column; -1: never rises; 0: any.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories: those of text and of a categorical type (of
        more than 32 categories, those with fewer than 20 rows count as missing there), or all
        categories of a mask, positions or names. With one output the best of all sets is found
        (for absolute errors, the best along the order of the means).

    Attributes
    ----------
    n_outputs_ : int
        Columns of y.
    max_features_ : int
        What `max_features` came to.
    tree_ : Tree
        The arrays of the tree, under scikit-learn's names.
    feature_importances_ : array of shape (n_features,)
        Share of the decrease of impurity each column brought.
    column_categories_ : ColumnCategories
        The categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 1.2, 5.0, 5.4]
    >>> tree = DecisionTreeRegressor(max_depth=1).fit(X, y)
    >>> tree.predict([[2.4], [2.6]]).round(3).tolist()
    [1.1, 5.2]

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees.
    """

    _study_role = p.TREE_ROLE

    def __init__(
        self,
        *,
        criterion: p.NumberCriterion = "squared_error",
        splitter: p.Splitter = "best",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = None,
        random_state: RandomState = None,
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        ccp_alpha: p.NotNegative = 0.0,
        monotonic_cst: p.Monotone = None,
        categorical_features: p.Categorical = "from_dtype",
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features


class ExtraTreeRegressor(DecisionTreeRegressor):
    """An extremely randomised tree: one random threshold of each column, the best taken.

    Made to be one of many; see `stylobate.ensemble.ExtraTreesRegressor`.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson", "friedman_mse"}, \
default="squared_error"
        The loss.
    splitter : {"best", "random"}, default="random"
        Whether thresholds are drawn.
    max_depth : int in [1, inf) or None, default=None
        Most splits above a leaf.
    min_samples_split : int in [2, inf) or float in (0, 1], default=2
        Fewest rows of a node that is split.
    min_samples_leaf : int in [1, inf) or float in (0, 1), default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Least share of the total weight in a leaf.
    max_features : int, float in (0, 1], {"sqrt", "log2"} or None, default=1.0
        Columns that are looked at for a split.
    random_state : int, RandomState, Generator or None, default=None
        For the columns and thresholds drawn.
    min_impurity_decrease : float in [0, inf), default=0.0
        What a split must bring.
    max_leaf_nodes : int in [2, inf) or None, default=None
        Grow the best splits first until there are so many leaves.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        Sign of the dependence on each column.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories.

    Attributes
    ----------
    n_outputs_, max_features_, tree_, feature_importances_, column_categories_, n_features_in_, \
feature_names_in_
        As of `DecisionTreeRegressor`.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0.0, 0.0, 1.0, 1.0]
    >>> ExtraTreeRegressor(random_state=0).fit(X, y).predict([[1.0], [4.0]]).tolist()
    [0.0, 1.0]

    References
    ----------
    Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63.
    """

    def __init__(
        self,
        *,
        criterion: p.NumberCriterion = "squared_error",
        splitter: p.Splitter = "random",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = 1.0,
        random_state: RandomState = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        max_leaf_nodes: p.LeafCount = None,
        ccp_alpha: p.NotNegative = 0.0,
        monotonic_cst: p.Monotone = None,
        categorical_features: p.Categorical = "from_dtype",
    ) -> None:
        super().__init__(
            criterion=criterion, splitter=splitter, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, max_features=max_features,
            random_state=random_state, max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease, ccp_alpha=ccp_alpha,
            monotonic_cst=monotonic_cst, categorical_features=categorical_features,
        )  # fmt: skip
