"""`RandomForestClassifier` and `ExtraTreesClassifier`."""

from __future__ import annotations

from stylobate.base import RandomState
from stylobate.base.study_role import StudyRole
from stylobate.ensemble import forest_parameters as f
from stylobate.ensemble.forest_classes import ForestClassifierBase
from stylobate.tree import parameters as p


class RandomForestClassifier(ForestClassifierBase):
    r"""The mean of many trees that saw different rows and columns.

    .. math:: \hat p(c \mid x) = \frac1T \sum_{t=1}^T \hat p_t(c \mid x)

    Each tree is grown from rows drawn at random with replacement, and each of its splits is the
    best among a few columns drawn at random: trees that differ, whose mean varies less.

    Parameters
    ----------
    n_estimators : int in [1, inf), default=100
        Trees.
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
        The impurity: Σ p(1−p); −Σ p log₂ p (both names); 1 − max p.
    max_depth : int in [1, inf) or None, default=None
        Most splits above a leaf.
    min_samples_split : int in [2, inf) or float in (0, 1], default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int in [1, inf) or float in (0, 1), default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Least share of the total weight in a leaf.
    max_features : int, float in (0, 1], {"sqrt", "log2"} or None, default="sqrt"
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
    class_weight : dict, list of dict, "balanced", "balanced_subsample" or None, default=None
        Weights of the classes: with bootstrap=True they make rows likelier to be drawn. "balanced":
        the inverse of the frequency of each class; "balanced_subsample": that among the rows drawn
        for each tree, as weights.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf; branches not worth it are pruned.
    max_samples : int in [1, inf), float in (0, inf) or None, default=None
        Rows drawn for each tree: a number, a share of the (weight of the) rows, or as many as there
        are.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        1: the probability of the second class never falls with the column; -1: never rises; 0: any.
        Two classes only.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories: those of text and of a categorical type (of
        more than 32 categories, those with fewer than 20 rows count as missing there), or all
        categories of a mask, positions or names.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or list of them
        The labels, sorted.
    n_classes_ : int or list of int
        How many.
    n_outputs_ : int
        Columns of y.
    estimator_ : DecisionTreeClassifier
        What the members are, not fitted.
    estimators_ : list of DecisionTreeClassifier
        The trees as estimators, fitted to class numbers 0, 1, …; made when asked.
    estimators_samples_ : list of arrays
        The rows of each tree.
    feature_importances_ : array of shape (n_features,)
        The share of the decrease of impurity each column brought; see `importances` for intervals
        and for the effect of shuffling.
    oob_score_ : float
        Accuracy (or the score asked for) on rows left out, if `oob_score`.
    oob_decision_function_ : array of shape (n, n_classes) or (n, n_classes, n_outputs)
        The probabilities behind it; zeros for rows that every tree has seen.
    column_categories_ : ColumnCategories
        The categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.ensemble import RandomForestClassifier
    >>> X, y = load_penguins(return_X_y=True, as_frame=True)
    >>> forest = RandomForestClassifier(oob_score=True, random_state=0).fit(X, y)
    >>> bool(forest.oob_score_ > 0.96)
    True

    Which measurement tells the species apart, with the spread over trees:

    >>> found = forest.importances(X, y)
    >>> found.names[found.order[0]]
    'bill_length_mm'

    References
    ----------
    Breiman (2001), Random forests, Machine Learning 45.
    """

    _study_role = StudyRole(
        "forest",
        "Random forest",
        70,
        space={"max_features": ("sqrt", 0.5), "min_samples_leaf": (1, 5)},
        fixed={"n_estimators": 200, "random_state": 0},
        encoding="ordinal",
        max_rows=500_000,
    )

    def _member_kind(self) -> type:
        from stylobate.tree import DecisionTreeClassifier

        return DecisionTreeClassifier

    def __init__(
        self,
        n_estimators: f.Count = 100,
        *,
        criterion: p.ClassCriterion = "gini",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = "sqrt",
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        bootstrap: bool = True,
        oob_score: f.OutOfBag = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: f.Verbose = 0,
        warm_start: bool = False,
        class_weight: f.ForestClassWeight = None,
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features


class ExtraTreesClassifier(ForestClassifierBase):
    r"""The mean of many trees whose splits are partly random.

    .. math:: \hat p(c \mid x) = \frac1T \sum_{t=1}^T \hat p_t(c \mid x)

    Each split is the best of one threshold in each of a few columns, all drawn at random: trees
    that differ even more than those of a random forest, and are grown faster.

    Parameters
    ----------
    n_estimators : int in [1, inf), default=100
        Trees.
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
        The impurity: Σ p(1−p); −Σ p log₂ p (both names); 1 − max p.
    max_depth : int in [1, inf) or None, default=None
        Most splits above a leaf.
    min_samples_split : int in [2, inf) or float in (0, 1], default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int in [1, inf) or float in (0, 1), default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Least share of the total weight in a leaf.
    max_features : int, float in (0, 1], {"sqrt", "log2"} or None, default="sqrt"
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
    class_weight : dict, list of dict, "balanced", "balanced_subsample" or None, default=None
        Weights of the classes: with bootstrap=True they make rows likelier to be drawn. "balanced":
        the inverse of the frequency of each class; "balanced_subsample": that among the rows drawn
        for each tree, as weights.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf; branches not worth it are pruned.
    max_samples : int in [1, inf), float in (0, inf) or None, default=None
        Rows drawn for each tree: a number, a share of the (weight of the) rows, or as many as there
        are.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        1: the probability of the second class never falls with the column; -1: never rises; 0: any.
        Two classes only.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories: those of text and of a categorical type (of
        more than 32 categories, those with fewer than 20 rows count as missing there), or all
        categories of a mask, positions or names.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or list of them
        The labels, sorted.
    n_classes_ : int or list of int
        How many.
    n_outputs_ : int
        Columns of y.
    estimator_ : ExtraTreeClassifier
        What the members are, not fitted.
    estimators_ : list of ExtraTreeClassifier
        The trees as estimators, fitted to class numbers 0, 1, …; made when asked.
    estimators_samples_ : list of arrays
        The rows of each tree.
    feature_importances_ : array of shape (n_features,)
        The share of the decrease of impurity each column brought; see `importances` for intervals
        and for the effect of shuffling.
    oob_score_ : float
        Accuracy (or the score asked for) on rows left out, if `oob_score`.
    oob_decision_function_ : array of shape (n, n_classes) or (n, n_classes, n_outputs)
        The probabilities behind it; zeros for rows that every tree has seen.
    column_categories_ : ColumnCategories
        The categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.ensemble import ExtraTreesClassifier
    >>> X, y = load_penguins(return_X_y=True, as_frame=True)
    >>> ExtraTreesClassifier(random_state=0).fit(X, y).predict(X[:2]).tolist()
    ['Adelie', 'Adelie']

    References
    ----------
    Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63.
    """

    _study_role = StudyRole(
        "extra_trees",
        "Extremely randomised trees",
        72,
        space={"max_features": ("sqrt", 0.5), "min_samples_leaf": (1, 5)},
        fixed={"n_estimators": 200, "random_state": 0},
        encoding="ordinal",
        max_rows=500_000,
    )

    _random_splits = True

    def _member_kind(self) -> type:
        from stylobate.tree import ExtraTreeClassifier

        return ExtraTreeClassifier

    def __init__(
        self,
        n_estimators: f.Count = 100,
        *,
        criterion: p.ClassCriterion = "gini",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = "sqrt",
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        bootstrap: bool = False,
        oob_score: f.OutOfBag = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: f.Verbose = 0,
        warm_start: bool = False,
        class_weight: f.ForestClassWeight = None,
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
