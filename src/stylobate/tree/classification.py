"""Trees that tell classes apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import ClassifierMixin, RandomState, Tags
from stylobate.base.outputs import read_outputs
from stylobate.exceptions import InvalidDataError
from stylobate.tree import parameters as p
from stylobate.tree.base import TreeBase
from stylobate.tree.growing import grow_classes
from stylobate.tree.reading import with_class_weights

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class TreeClassifierBase(ClassifierMixin, TreeBase):
    """Labels of one or several outputs, and their weights."""

    classes_: Any
    n_classes_: Any
    class_weight: Any

    def _tags(self) -> Tags:
        return super()._tags().but(multi_label=True)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows. NaN is missing; frames may hold text and categories. Sparse rows are never made
            dense; the tree is that of the dense ones.
        y : array-like of shape (n,) or (n, n_outputs)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.
        check_input : bool, default=True
            Accepted for compatibility; the input is always checked.

        Returns
        -------
        self
        """
        self._check_parameters()
        owner = type(self).__name__
        table = self._read_rows(X, reset=True)
        classes, codes, several = read_outputs(y, owner=owner, n_rows=table.n_rows)
        weights = self._row_weights(sample_weight, table.n_rows)
        weights = with_class_weights(self.class_weight, classes, codes, weights, owner)
        self.n_outputs_ = len(classes)
        growth = self._growth(table, weights, signs=True)
        counts = [len(each) for each in classes]
        if growth.monotone is not None and counts[0] > 2:
            raise InvalidDataError(
                f"{owner}: Monotonicity constraints are not supported with multiclass "
                f"classification; y has {counts[0]} classes."
            )
        (tree,) = grow_classes(
            table.x, codes, counts, growth=growth, seeds=[self._seed()],
            weights=weights, categories=self.column_categories_.counts,
        )  # fmt: skip
        self.classes_ = classes if several else classes[0]
        self.n_classes_ = np.array(counts) if several else counts[0]
        self._keep(tree)
        return self

    def _each_output(self, values: Array) -> list[Array]:
        """The class fractions of every output, of shape (n, n_classes)."""
        counts = np.atleast_1d(self.n_classes_)
        return [values[:, k, :count] for k, count in enumerate(counts)]

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """The fractions of the classes in each row's leaf.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        check_input : bool, default=True
            Accepted for compatibility; the input is always checked.

        Returns
        -------
        array of shape (n, n_classes), or a list of them for several outputs
        """
        shares = self._each_output(self._values(X))
        return shares if self.n_outputs_ > 1 else shares[0]

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes), or a list of them for several outputs
        """
        with np.errstate(divide="ignore"):
            shares = self.predict_proba(X)
            return [np.log(each) for each in shares] if self.n_outputs_ > 1 else np.log(shares)

    def predict(self, X: Any, check_input: bool = True) -> NDArray[Any]:
        """The most frequent class of each row's leaf.

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
        shares = self._each_output(self._values(X))
        all_classes = self.classes_ if self.n_outputs_ > 1 else [self.classes_]
        labels = [
            classes[np.argmax(each, axis=1)]
            for classes, each in zip(all_classes, shares, strict=True)
        ]
        return np.column_stack(labels) if self.n_outputs_ > 1 else labels[0]

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.trees import trees_answer

        return trees_answer([self.tree_], columns, self.column_categories_.of, self.classes_)


class DecisionTreeClassifier(TreeClassifierBase):
    r"""A tree of questions about single columns that tells classes apart.

    Every split is the one, of all columns and all thresholds (or sets of categories), that lowers

    .. math:: Q(t_\text{left}) + Q(t_\text{right}),\quad Q(t) = \frac{|t|}{n}\, H(t)

    the most, where H is the impurity of the classes in a node.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
        H: Σ p(1−p); −Σ p log₂ p (both names); 1 − max p.
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
    class_weight : dict, list of dict, "balanced" or None, default=None
        Weights of the classes; one dictionary for each output.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf; branches not worth it are pruned.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        1: the probability of the second class never falls with the column; -1: never rises; 0: any.
        Two classes only.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories: those of text and of a categorical type (of
        more than 32 categories, those with fewer than 20 rows count as missing there), or all
        categories of a mask, positions or names. With two classes the best of all sets is found;
        with more, the best along one order of the categories.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or list of them
        The labels, sorted.
    n_classes_ : int or array of int
        How many.
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
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["low", "low", "high", "high"]
    >>> tree = DecisionTreeClassifier().fit(X, y)
    >>> tree.predict([[2.4], [2.6]]).tolist()
    ['low', 'high']
    >>> print("\n".join(tree.rules()))
    if x0 <= 2.5 then low (100 % of 2 rows)
    if x0 > 2.5 then high (100 % of 2 rows)

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees.
    """

    _study_role = p.TREE_ROLE

    def __init__(
        self,
        *,
        criterion: p.ClassCriterion = "gini",
        splitter: p.Splitter = "best",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = None,
        random_state: RandomState = None,
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        class_weight: p.ClassWeight = None,
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features


class ExtraTreeClassifier(DecisionTreeClassifier):
    """An extremely randomised tree: random thresholds of a few random columns, the best taken.

    Made to be one of many; see `stylobate.ensemble.ExtraTreesClassifier`.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
        The impurity.
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
    max_features : int, float in (0, 1], {"sqrt", "log2"} or None, default="sqrt"
        Columns that are looked at for a split.
    random_state : int, RandomState, Generator or None, default=None
        For the columns and thresholds drawn.
    max_leaf_nodes : int in [2, inf) or None, default=None
        Grow the best splits first until there are so many leaves.
    min_impurity_decrease : float in [0, inf), default=0.0
        What a split must bring.
    class_weight : dict, list of dict, "balanced" or None, default=None
        Weights of the classes.
    ccp_alpha : float in [0, inf), default=0.0
        The price of a leaf.
    monotonic_cst : array-like of int of shape (n_features,) or None, default=None
        Sign of the dependence on each column.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, \
default="from_dtype"
        Columns that are split by sets of categories.

    Attributes
    ----------
    classes_, n_classes_, n_outputs_, max_features_, tree_, feature_importances_, \
column_categories_, n_features_in_, feature_names_in_
        As of `DecisionTreeClassifier`.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    >>> ExtraTreeClassifier(random_state=0).fit(X, y).predict([[1.5], [3.5]]).tolist()
    [0, 1]

    References
    ----------
    Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63.
    """

    def __init__(
        self,
        *,
        criterion: p.ClassCriterion = "gini",
        splitter: p.Splitter = "random",
        max_depth: p.Depth = None,
        min_samples_split: p.MinSplit = 2,
        min_samples_leaf: p.MinLeaf = 1,
        min_weight_fraction_leaf: p.MinWeight = 0.0,
        max_features: p.MaxFeatures = "sqrt",
        random_state: RandomState = None,
        max_leaf_nodes: p.LeafCount = None,
        min_impurity_decrease: p.NotNegative = 0.0,
        class_weight: p.ClassWeight = None,
        ccp_alpha: p.NotNegative = 0.0,
        monotonic_cst: p.Monotone = None,
        categorical_features: p.Categorical = "from_dtype",
    ) -> None:
        super().__init__(
            criterion=criterion, splitter=splitter, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, max_features=max_features,
            random_state=random_state, max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease, class_weight=class_weight,
            ccp_alpha=ccp_alpha, monotonic_cst=monotonic_cst,
            categorical_features=categorical_features,
        )  # fmt: skip
