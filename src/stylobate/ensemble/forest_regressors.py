"""`RandomForestRegressor` and `ExtraTreesRegressor`."""

from __future__ import annotations

from stylobate.base import RandomState
from stylobate.base.study_role import StudyRole
from stylobate.ensemble import forest_parameters as f
from stylobate.ensemble.forest_numbers import ForestRegressorBase
from stylobate.tree import parameters as p


class RandomForestRegressor(ForestRegressorBase):
    r"""The mean of many regression trees that saw different rows.

    .. math:: \hat f(x) = \frac1T \sum_{t=1}^T \hat f_t(x)

    Each tree is grown from rows drawn at random with replacement, and each of its splits is the
    best among a few columns drawn at random: trees that differ, whose mean varies less. All columns
    are looked at by default; ``max_features=0.3`` is often better and always faster.

    Parameters
    ----------
    n_estimators : int in [1, inf), default=100
        Trees.
    criterion : {"squared_error", "absolute_error", "friedman_mse", "poisson"}, \
default="squared_error"
        What leaves lose; "friedman_mse" is "squared_error".
    max_depth : int in [1, inf) or None, default=None
        Most splits above a leaf.
    min_samples_split : int in [2, inf) or float in (0, 1], default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int in [1, inf) or float in (0, 1), default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Least share of the total weight in a leaf.
    max_features : int, float in (0, 1], {"sqrt", "log2"} or None, default=1.0
        Columns that are looked at for a split, drawn anew for each node; None for all.
    max_leaf_nodes : int in [2, inf) or None, default=None
        Grow the best splits first until a tree has so many leaves.
    min_impurity_decrease : float in [0, inf), default=0.0
        What a split must bring: the decrease of impurity, weighted by the share of rows.
    bootstrap : bool, default=True
        Whether each tree sees rows drawn with replacement, or all of them.
    oob_score : bool or callable, default=False
        Whether to predict each row by the trees that have not seen it; a function of the truth and
        the prediction is the score.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`, and the forest
        is the same for any number of them.
    random_state : int, RandomState, Generator or None, default=None
        One seed for each tree is drawn from it; the same seed draws the same rows in scikit-learn.
    verbose : int in [0, inf) or bool, default=0
        From 1 on, progress is shown in terminals and notebooks.
    warm_start : bool, default=False
        Whether `fit` keeps the trees there are and adds what is missing to `n_estimators`.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf; branches not worth it are pruned.
    max_samples : int in [1, inf), float in (0, inf) or None, default=None
        Rows drawn for each tree: a number, a share of the (weight of the) rows, or as many as there
        are.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        1: the prediction never falls with the column; -1: never rises; 0: any.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories: those of text and of a categorical type (of
        more than 32 categories, those with fewer than 20 rows count as missing there), or all
        categories of a mask, positions or names.

    Attributes
    ----------
    n_outputs_ : int
        Columns of y.
    estimator_ : DecisionTreeRegressor
        What the members are, not fitted.
    estimators_ : list of DecisionTreeRegressor
        The trees as estimators; made when asked.
    estimators_samples_ : list of arrays
        The rows of each tree.
    feature_importances_ : array of shape (n_features,)
        The share of the decrease of impurity each column brought; see `importances` for intervals
        and for the effect of shuffling.
    oob_score_ : float
        R² (or the score asked for) on rows left out, if `oob_score`.
    oob_prediction_ : array of shape (n,) or (n, n_outputs)
        The predictions behind it; zeros for rows that every tree has seen.
    column_categories_ : ColumnCategories
        The categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.ensemble import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(oob_score=True, random_state=0).fit(X, y)
    >>> bool(forest.oob_score_ > 0.4)
    True

    References
    ----------
    Breiman (2001), Random forests, Machine Learning 45.
    """

    _study_role = StudyRole(
        "forest",
        "Random forest",
        70,
        space={"max_features": (0.4, 1.0), "min_samples_leaf": (1, 5)},
        fixed={"n_estimators": 200, "random_state": 0},
        encoding="ordinal",
        max_rows=500_000,
    )

    def _member_kind(self) -> type:
        from stylobate.tree import DecisionTreeRegressor

        return DecisionTreeRegressor

    def __init__(
        self,
        n_estimators: f.Count = 100,
        *,
        criterion: p.NumberCriterion = "squared_error",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = 1.0,
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        bootstrap: bool = True,
        oob_score: f.OutOfBag = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: f.Verbose = 0,
        warm_start: bool = False,
        ccp_alpha: p.NotNegative = 0.0,
        max_samples: f.Draws = None,
        monotonic_cst: p.Monotone = None,
        categorical_features: p.Categorical = "from_dtype",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features


class ExtraTreesRegressor(ForestRegressorBase):
    r"""The mean of many regression trees whose splits are partly random.

    .. math:: \hat f(x) = \frac1T \sum_{t=1}^T \hat f_t(x)

    Each split is the best of one threshold in each of a few columns, all drawn at random: trees
    that differ even more than those of a random forest, and are grown faster.

    Parameters
    ----------
    n_estimators : int in [1, inf), default=100
        Trees.
    criterion : {"squared_error", "absolute_error", "friedman_mse", "poisson"}, \
default="squared_error"
        What leaves lose; "friedman_mse" is "squared_error".
    max_depth : int in [1, inf) or None, default=None
        Most splits above a leaf.
    min_samples_split : int in [2, inf) or float in (0, 1], default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int in [1, inf) or float in (0, 1), default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Least share of the total weight in a leaf.
    max_features : int, float in (0, 1], {"sqrt", "log2"} or None, default=1.0
        Columns that are looked at for a split, drawn anew for each node; None for all.
    max_leaf_nodes : int in [2, inf) or None, default=None
        Grow the best splits first until a tree has so many leaves.
    min_impurity_decrease : float in [0, inf), default=0.0
        What a split must bring: the decrease of impurity, weighted by the share of rows.
    bootstrap : bool, default=False
        Whether each tree sees rows drawn with replacement, or all of them.
    oob_score : bool or callable, default=False
        Whether to predict each row by the trees that have not seen it; a function of the truth and
        the prediction is the score.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`, and the forest
        is the same for any number of them.
    random_state : int, RandomState, Generator or None, default=None
        One seed for each tree is drawn from it; the same seed draws the same rows in scikit-learn.
    verbose : int in [0, inf) or bool, default=0
        From 1 on, progress is shown in terminals and notebooks.
    warm_start : bool, default=False
        Whether `fit` keeps the trees there are and adds what is missing to `n_estimators`.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf; branches not worth it are pruned.
    max_samples : int in [1, inf), float in (0, inf) or None, default=None
        Rows drawn for each tree: a number, a share of the (weight of the) rows, or as many as there
        are.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        1: the prediction never falls with the column; -1: never rises; 0: any.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories: those of text and of a categorical type (of
        more than 32 categories, those with fewer than 20 rows count as missing there), or all
        categories of a mask, positions or names.

    Attributes
    ----------
    n_outputs_ : int
        Columns of y.
    estimator_ : ExtraTreeRegressor
        What the members are, not fitted.
    estimators_ : list of ExtraTreeRegressor
        The trees as estimators; made when asked.
    estimators_samples_ : list of arrays
        The rows of each tree.
    feature_importances_ : array of shape (n_features,)
        The share of the decrease of impurity each column brought; see `importances` for intervals
        and for the effect of shuffling.
    oob_score_ : float
        R² (or the score asked for) on rows left out, if `oob_score`.
    oob_prediction_ : array of shape (n,) or (n, n_outputs)
        The predictions behind it; zeros for rows that every tree has seen.
    column_categories_ : ColumnCategories
        The categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.ensemble import ExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ExtraTreesRegressor(min_samples_leaf=5, random_state=0).fit(X[:400], y[:400])
    >>> bool(forest.score(X[400:], y[400:]) > 0.4)
    True

    References
    ----------
    Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63.
    """

    _study_role = StudyRole(
        "extra_trees",
        "Extremely randomised trees",
        72,
        space={"max_features": (0.4, 1.0), "min_samples_leaf": (1, 5)},
        fixed={"n_estimators": 200, "random_state": 0},
        encoding="ordinal",
        max_rows=500_000,
    )

    _random_splits = True

    def _member_kind(self) -> type:
        from stylobate.tree import ExtraTreeRegressor

        return ExtraTreeRegressor

    def __init__(
        self,
        n_estimators: f.Count = 100,
        *,
        criterion: p.NumberCriterion = "squared_error",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = 1.0,
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        bootstrap: bool = False,
        oob_score: f.OutOfBag = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: f.Verbose = 0,
        warm_start: bool = False,
        ccp_alpha: p.NotNegative = 0.0,
        max_samples: f.Draws = None,
        monotonic_cst: p.Monotone = None,
        categorical_features: p.Categorical = "from_dtype",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
