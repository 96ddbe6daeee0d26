"""Categories as the mean of the target, shrunk and cross-fitted."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Options, RandomState, Tags
from stylobate.base.validation import input_names
from stylobate.data import read_labels
from stylobate.data.coding import Coded
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.mixed_columns import MixedColumns
from stylobate.data.target import read_target, refuse_missing_target
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError, ModelFileError
from stylobate.preprocessing.encoding.allowed import Entries
from stylobate.preprocessing.encoding.categories import CategoryEncoder
from stylobate.preprocessing.encoding.target_streams import (
    EncodesTargetStreams,
    refuse_target_type,
    refuse_third_class,
    shrunk,
)
from stylobate.splits import KFold, StratifiedKFold, check_cv, type_of_target
from stylobate.statistics.groups.group_moments import GroupMoments

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class TargetEncoder(EncodesTargetStreams, CategoryEncoder):
    r"""Each category as a shrunk mean of the target over its rows.

    .. math:: e_c = \lambda_c \bar y_c + (1 - \lambda_c)\,\bar y,
        \quad \lambda_c = \frac{n_c}{n_c + m}
        \ \text{ or }\ \frac{\hat\tau^2}{\hat\tau^2 + \hat\sigma_c^2 / n_c}

    `fit_transform` encodes each row by means of the other folds: its own target is not in it, so
    that a model cannot learn it back. ``fit(X, y).transform(X)`` is therefore another result.
    Streams are passed over twice. Models fitted to what the encoder makes of a stream get
    cross-fitted means as well; the folds are dealt by hashed row numbers, so they are not those of
    the same rows in memory.

    Parameters
    ----------
    categories : "auto" or list of array-like, default="auto"
        The categories of each column: those seen, in order, or as given.
    target_type : {"auto", "continuous", "binary", "multiclass"}, default="auto"
        What y is.
    smooth : "auto" or float in [0, inf), default="auto"
        m, the weight of the overall mean in rows; "auto" chooses it for each category by its
        variance (empirical Bayes).
    cv : int in [2, inf), splitter, list of splits or None, default=5
        Folds of `fit_transform`, stratified for classes.
    shuffle : bool or "deprecated", default="deprecated"
        Whether rows are shuffled before they are cut into folds; they are unless False.
    random_state : int, RandomState, None or "deprecated", default="deprecated"
        Of that shuffling.

    Attributes
    ----------
    encodings_ : list of arrays
        Of each column; for several classes of each column and class.
    categories_ : list of arrays
        Categories of each column.
    target_type_ : str
        What y was found to be.
    target_mean_ : float or array of shape (n_classes,)
        What unknown categories become.
    classes_ : array or None
        The labels, if y holds classes.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X, y = [["a"], ["a"], ["b"], ["b"]], [1.0, 3.0, 5.0, 7.0]
    >>> encoder = TargetEncoder(smooth=2.0, target_type="continuous").fit(X, y)
    >>> encoder.transform([["a"], ["b"], ["never seen"]])
    array([[3.],
           [5.],
           [4.]])

    References
    ----------
    Micci-Barreca (2001), A preprocessing scheme for high-cardinality categorical attributes, ACM
    SIGKDD Explorations 3.
    """

    def __init__(
        self,
        categories: Annotated[str, Options("auto")] | Annotated[Any, Entries()] = "auto",
        target_type: Annotated[str, Options("auto", "continuous", "binary", "multiclass")] = "auto",
        smooth: Annotated[str, Options("auto")] | Annotated[float, Interval(0, inf)] = "auto",
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, Entries()]
        | None = 5,
        shuffle: bool | Annotated[str, Options("deprecated")] = "deprecated",
        random_state: RandomState | Annotated[str, Options("deprecated")] = "deprecated",
    ) -> None:
        self.categories = categories
        self.target_type = target_type
        self.smooth = smooth
        self.cv = cv
        self.shuffle = shuffle
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(requires_y=True, tier="several passes")

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the mean target of each category.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Text, numbers, categories; missing values allowed.
        y : array-like of shape (n,)
            Target.

        Returns
        -------
        self
        """
        self._fit(X, y)
        return self

    def _fit(self, X: Any, y: Any) -> tuple[MixedColumns, list[Coded], Array]:
        self._check_parameters()
        if y is None:
            refuse_missing_target(type(self).__name__)
        columns = self._read_columns(X, reset=True)
        targets = self._read_y(y, columns.n_rows)
        coded = self._fit_categories(columns, unknown_allowed=True)
        self._infrequent = [None] * len(coded)
        mean = targets.mean(axis=0)
        self.target_mean_ = mean if self.target_type_ == "multiclass" else float(mean[0])
        table = [shrunk_means(each.codes, len(each.values), targets, self.smooth) for each in coded]
        self.encodings_ = [column.copy() for each in table for column in each.T]
        return columns, coded, targets

    def _read_y(self, y: Any, n_rows: int) -> Array:
        """The target as numbers, one column for each class if there are several."""
        owner = type(self).__name__
        kind = self.target_type
        if kind == "auto":
            kind = type_of_target(y)
            refuse_target_type(kind)
        self.target_type_ = kind
        self.classes_ = None
        if kind == "continuous":
            return self._read_numbers(y, n_rows)
        self.classes_, codes = read_labels(y, owner=owner, n_rows=n_rows)
        if kind == "multiclass":
            return np.asarray(codes[:, None] == np.arange(len(self.classes_)), dtype=np.float64)
        refuse_third_class(self.classes_, owner)
        return codes[:, None].astype(np.float64)

    def _read_numbers(self, y: Any, n_rows: int) -> Array:
        owner = type(self).__name__
        target, _, finite = read_target(y, n_rows, owner=owner, multi_output=False)
        if not finite:
            refuse_nonfinite(target, Input(owner, "y"))
        return target

    def fit_transform(self, X: Any, y: Any) -> Any:
        """Fit, and encode each row by the means of the other folds.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Target.

        Returns
        -------
        array or frame of shape (n, n_features), or (n, n_features * n_classes)
        """
        columns, coded, targets = self._fit(X, y)
        width = targets.shape[1]
        out = np.empty((columns.n_rows, len(coded) * width))
        seen = np.zeros(columns.n_rows, dtype=np.intp)
        for train, test in self._folds(targets):
            seen[test] += 1
            fold = targets[train]
            for j, each in enumerate(coded):
                means = shrunk_means(each.codes[train], len(each.values), fold, self.smooth)
                means = np.vstack([means, fold.mean(axis=0)])  # -1, unknown, takes the last
                out[test, j * width : (j + 1) * width] = means[each.codes[test]]
        if (seen != 1).any():
            raise InvalidDataError(
                f"{type(self).__name__}: cv={self.cv!r} must have each row in exactly one test "
                f"part; row {int(np.argmax(seen != 1))} is in {seen[seen != 1][0]}."
            )
        return self._wrap(out, columns)

    def _folds(self, targets: Array) -> Any:
        y = targets.argmax(axis=1) if targets.shape[1] > 1 else targets[:, 0]
        cv: Any = 5 if self.cv is None else self.cv
        if isinstance(cv, int | np.integer):
            shuffle = self.shuffle if isinstance(self.shuffle, bool | np.bool_) else True
            seed = None if isinstance(self.random_state, str) else self.random_state
            kind = KFold if self.target_type_ == "continuous" else StratifiedKFold
            cv = kind(int(cv), shuffle=bool(shuffle), random_state=seed if shuffle else None)
        return check_cv(cv).split(np.empty((len(y), 0)), y)

    def transform(self, X: Any) -> Any:
        """The shrunk mean of each row's categories; the overall mean for unknown ones.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            New rows. (For the rows of the fit, `fit_transform` avoids their own target.)

        Returns
        -------
        array or frame of shape (n, n_features), or (n, n_features * n_classes)
        """
        self._check_fitted()
        columns = self._read_columns(X, reset=False)
        means = np.atleast_1d(self.target_mean_)
        out = np.empty((columns.n_rows, columns.n_features * len(means)))
        for j, (place, codes) in enumerate(self._look_up(columns, refuse=False)):
            for k, mean in enumerate(means):
                column = j * len(means) + k
                out[:, column] = np.append(self.encodings_[column], mean)[place][codes]
        return self._wrap(out, columns)

    def _check_loaded(self) -> None:
        """Refuse means of a file that are not those of the categories."""
        if "encodings_" not in vars(self):
            return
        means = np.atleast_1d(self.target_mean_)
        wanted = [len(known) for known in self.categories_ for _ in means]
        if (
            means.ndim != 1
            or means.dtype.kind not in "biuf"
            or not isinstance(self.encodings_, list)
            or [np.shape(each) for each in self.encodings_] != [(n,) for n in wanted]
            or not all(np.asarray(each).dtype.kind in "biuf" for each in self.encodings_)
        ):
            raise ModelFileError(
                "The TargetEncoder of the file has no mean for each of its categories."
            )

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.expressions import lookup

        means = np.atleast_1d(self.target_mean_)
        made = []
        for j, (column, known) in enumerate(zip(columns, self.categories_, strict=True)):
            for k, mean in enumerate(means):
                numbers = self.encodings_[j * len(means) + k]
                pairs = list(zip(known, map(float, numbers), strict=True))
                made.append(lookup(column, pairs, default=float(mean), missing=float(mean)))
        return made

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The columns' own names; for several classes such as ``"colour_setosa"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        names = input_names(self, input_features)
        if self.target_type_ != "multiclass":
            return names
        assert self.classes_ is not None
        return np.array([f"{name}_{label}" for name in names for label in self.classes_], object)


def shrunk_means(codes: NDArray[np.intp], n_values: int, targets: Array, smooth: Any) -> Array:
    """The shrunk mean of each category and target; the overall mean where there is no row.

    >>> shrunk_means(np.array([0, 0, 1]), 2, np.array([[1.0], [3.0], [5.0]]), 1.0).ravel()
    array([2.33333333, 4.        ])
    """
    groups = GroupMoments.of(codes, n_values, targets)
    variance = np.array([y.var() for y in targets.T]) if isinstance(smooth, str) else None
    return shrunk(groups, targets.mean(axis=0), variance, smooth)
