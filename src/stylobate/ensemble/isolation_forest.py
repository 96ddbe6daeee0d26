"""`IsolationForest`: outliers are rows that few random cuts set apart."""

from __future__ import annotations

import warnings
from dataclasses import replace
from math import ceil, inf, log2
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Interval, Options, RandomState, Tags
from stylobate.base.randomness import stream_of
from stylobate.data.words import user_stacklevel
from stylobate.ensemble.draws import Draw, columns_to_draw
from stylobate.ensemble.members import LARGEST_SEED
from stylobate.exceptions import StylobateWarning
from stylobate.tree import ExtraTreeRegressor
from stylobate.tree.flat import FlatForest, Tree, blocks_of

if TYPE_CHECKING:
    from stylobate.data import Table

    Array = NDArray[np.float64]
    Numbers = NDArray[np.intp]

_AUTO = 256  # rows of a tree, where nothing is said
Share = Annotated[int, Interval(1, inf)] | Annotated[float, Interval(0, 1, closed="right")]


class IsolationForest(BaseEstimator):
    r"""How many random cuts set a row apart from the others: few for outliers.

    .. math:: s(x) = -2^{-\bar h(x) / c(m)}, \qquad
              c(m) = 2 (\ln(m - 1) + γ) - 2 (m - 1) / m

    where h̄ is the mean length of x's path through trees that are grown by random columns and
    thresholds on m rows each; a leaf of k rows counts c(k) cuts more.

    Parameters
    ----------
    n_estimators : int in [1, inf), default=100
        Trees.
    max_samples : "auto", int in [1, inf) or float in (0, 1], default="auto"
        Rows of a tree; a share of all; "auto": 256, or all if they are fewer.
    contamination : "auto" or float in (0, 0.5], default="auto"
        The share of outliers among the rows of the fit; "auto": rows with a score below −0.5.
    max_features : int in [1, inf) or float in (0, 1], default=1.0
        Columns of a tree.
    bootstrap : bool, default=False
        Whether rows are drawn with putting back.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    random_state : int, RandomState, Generator or None, default=None
        Of rows, columns and cuts.
    verbose : int in [0, inf) or bool, default=0
        Accepted for compatibility; nothing is printed.
    warm_start : bool, default=False
        Whether `fit` keeps the trees there are and adds what is missing to `n_estimators`.

    Attributes
    ----------
    estimator_ : ExtraTreeRegressor
        What the trees are, not fitted.
    estimators_ : list of ExtraTreeRegressor
        The trees.
    estimators_features_ : list of arrays
        The columns of each.
    estimators_samples_ : list of arrays
        The rows of each.
    max_samples_ : int
        Rows of a tree.
    offset_ : float
        Rows with a score below are outliers.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.ensemble import IsolationForest
    >>> X = [[-1.1], [0.3], [0.5], [100.0]]
    >>> IsolationForest(random_state=0).fit(X).predict([[0.1], [0.0], [90.0]])
    array([ 1,  1, -1])

    References
    ----------
    Liu, Ting & Zhou (2008), Isolation forest, ICDM.
    """

    def __init__(
        self,
        *,
        n_estimators: Annotated[int, Interval(1, inf)] = 100,
        max_samples: Annotated[str, Options("auto")] | Share = "auto",
        contamination: Annotated[str, Options("auto")]
        | Annotated[float, Interval(0, 0.5, closed="right")] = "auto",
        max_features: Share = 1.0,
        bootstrap: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.contamination = contamination
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(estimator_type="outlier_detector", sparse=True, allow_nan=True, tier="all rows")
        )

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; NaN is missing.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), optional
            How likely each row is drawn.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, None, sample_weight, reset=True)
        stream = stream_of(self.random_state)
        self.max_samples_ = self._count(table.n_rows)
        kept = len(vars(self).get("estimators_", ())) if self.warm_start else 0
        if not kept:
            self.estimators_: list[Any] = []
            self.estimators_features_: list[Numbers] = []
            self.estimators_samples_: list[Numbers] = []
        depth = ceil(log2(max(self.max_samples_, 2)))
        self.estimator_ = ExtraTreeRegressor(max_features=1, max_depth=depth)
        for seed in stream.randint(LARGEST_SEED, size=self.n_estimators)[kept:]:
            self._grow(table, int(seed))
        self.offset_ = -0.5
        if not isinstance(self.contamination, str):
            scores = self._scores(table)
            self.offset_ = float(np.percentile(scores, 100.0 * self.contamination))
        return self

    def _count(self, n_rows: int) -> int:
        """Rows of a tree."""
        if isinstance(self.max_samples, str):
            return min(_AUTO, n_rows)
        if isinstance(self.max_samples, float | np.floating):
            return max(int(self.max_samples * n_rows), 1)
        if self.max_samples > n_rows:
            warnings.warn(
                f"{type(self).__name__}: max_samples ({self.max_samples}) is greater than the "
                f"total number of samples ({n_rows}). max_samples will be set to n_samples for "
                "estimation.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        return min(int(self.max_samples), n_rows)

    def _drawn(self, table: Table) -> int:
        """Rows of a tree; without putting back no more than there are of positive weight."""
        if table.weights is None or self.bootstrap:
            return self.max_samples_
        return int(min(self.max_samples_, np.count_nonzero(table.weights)))

    def _grow(self, table: Table, seed: int) -> None:
        stream = stream_of(seed)
        count = columns_to_draw(table.n_features, self.max_features)
        columns = np.sort(Draw(table.n_features, count, replace=False).numbers(stream))
        draw = Draw(table.n_rows, self._drawn(table), self.bootstrap, table.weights)
        rows = draw.numbers(stream)
        part = table.x[rows]
        part = part.toarray() if table.is_sparse else part
        if count < table.n_features:
            part = part[:, columns]
        tree = ExtraTreeRegressor(max_features=1, max_depth=self.estimator_.max_depth)
        tree.set_params(random_state=int(stream.randint(LARGEST_SEED)))
        self.estimators_.append(tree.fit(part, stream.uniform(size=len(rows))))
        self.estimators_features_.append(columns)
        self.estimators_samples_.append(rows)

    def _scores(self, table: Table) -> Array:
        paths = self._paths()
        lengths = np.concatenate([paths.add(block)[:, 0] for block in blocks_of(table.x)])
        most = len(self.estimators_) * float(path_length(np.array([self.max_samples_]))[0])
        share = lengths / most if most > 0.0 else np.ones(len(lengths))
        return np.asarray(-(2.0**-share))

    def _paths(self) -> FlatForest:
        """The trees on all columns, whose leaves hold how many cuts set their rows apart."""
        trees: list[Tree] = []
        for model, columns in zip(self.estimators_, self.estimators_features_, strict=True):
            tree = model.tree_
            lengths = tree.depths + path_length(tree.n_node_samples)
            inner = tree.feature >= 0
            feature = tree.feature.copy()
            feature[inner] = columns[feature[inner]]
            trees.append(
                replace(
                    tree, feature=feature, value=lengths[:, None, None],
                    n_features=self.n_features_in_,
                )
            )  # fmt: skip
        return FlatForest(trees, self.n_features_in_)

    def score_samples(self, X: Any) -> Array:
        """−2 to the power of minus the mean path length, as a share of what it is for all rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
            In [−1, 0]; the lower, the more of an outlier.
        """
        self._check_fitted()
        return self._scores(self._read(X, reset=False))

    def decision_function(self, X: Any) -> Array:
        """`score_samples` − `offset_`: negative for outliers.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return np.asarray(self.score_samples(X) - self.offset_)

    def predict(self, X: Any) -> NDArray[Any]:
        """1 for rows like those of the fit, −1 for outliers.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return np.where(self.decision_function(X) < 0.0, -1, 1)

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> NDArray[Any]:
        """Fit to rows and tell which of them are outliers.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.
        **fit_params : object
            More arguments for `fit`.

        Returns
        -------
        array of shape (n,)
            −1 for outliers, 1 for the others.
        """
        return self.fit(X, y, **fit_params).predict(X)


def path_length(counts: NDArray[Any]) -> Array:
    """The mean number of cuts that set one of k rows apart: of a search tree that finds nothing.

    >>> path_length(np.array([1, 2, 256])).round(4)
    array([ 0.    ,  1.    , 10.2448])
    """
    k = np.asarray(counts, dtype=np.float64)
    many = np.maximum(k, 3.0)
    long = 2.0 * (np.log(many - 1.0) + np.euler_gamma) - 2.0 * (many - 1.0) / many
    return np.asarray(np.where(k <= 1.0, 0.0, np.where(k == 2.0, 1.0, long)))
