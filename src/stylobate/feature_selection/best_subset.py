"""Exhaustive selection for linear regression."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Annotated, Any, Literal, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Tags
from stylobate.base.validation import input_names
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError
from stylobate.feature_selection.criteria import LinearCriteria
from stylobate.feature_selection.history import CAVEAT, SelectionHistory, SelectionStep
from stylobate.feature_selection.selector import FeatureSelector
from stylobate.feature_selection.subsets import BestSubsets, best_subsets
from stylobate.feature_selection.targets import with_target
from stylobate.sources import MemorySource
from stylobate.splits import splits_of
from stylobate.splits.hashed import hashed_folds
from stylobate.statistics import Moments
from stylobate.statistics.parts import PartStatistics

Parts = Sequence[Sequence[Moments]]  # of each fold: the training rows' and the test rows'

_HIGHER = ("adjusted_r2", "cv")  # criteria of which more is better


class BestSubsetSelector(FeatureSelector):
    """The subset of features with the smallest squared error, of every size, proved.

    Branch and bound on the moments of the rows: a family of subsets is left out only when even its
    largest member is worse than what is known. 30 features (10⁹ subsets) take a fraction of a
    second, more where few of them matter.

    Parameters
    ----------
    criterion : {"bic", "aic", "cp", "adjusted_r2", "cv"}, default="bic"
        How to choose among the sizes. "cv" finds the best subsets anew within every fold and goes
        by their squared error on the rest, so that the search does not flatter itself.
    max_features : int in [1, inf) or None, default=None
        Largest size considered.
    cv : int in [2, inf), splitter or iterable, default=5
        Folds, for ``criterion="cv"``.
    fit_intercept : bool, default=True
        Whether the models have an intercept.

    Attributes
    ----------
    support_ : array of bool of shape (n_features,)
        The chosen subset.
    subsets_ : list of int arrays
        The best subset of each size, from none on.
    rss_ : array of shape (sizes,)
        Their residual sums of squares.
    criteria_ : dict of arrays
        ``r2``, ``adjusted_r2``, ``aic``, ``bic``, ``cp`` and, if asked for, ``cv`` (negative mean
        squared error) of each size.
    n_nodes_ : int
        Linear systems looked at, of 2^n_features.
    history_ : SelectionHistory
        The criterion by size, as data for a picture.
    caveat_ : str
        What this means for later p-values.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import BestSubsetSelector
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> chosen = BestSubsetSelector().fit(X, y)
    >>> chosen.get_feature_names_out()
    array(['sex', 'bmi', 'bp', 's3', 's5'], dtype=object)
    >>> [subset.tolist() for subset in chosen.subsets_[:4]]
    [[], [2], [2, 8], [2, 3, 8]]

    References
    ----------
    Furnival & Wilson (1974), Regressions by leaps and bounds, Technometrics 16.
    Hofmann, Gatu & Kontoghiorghes (2007), Efficient algorithms for computing the best subset
    regression models for large-scale problems, CSDA 52.
    """

    def __init__(
        self,
        *,
        criterion: Literal["bic", "aic", "cp", "adjusted_r2", "cv"] = "bic",
        max_features: Annotated[int, Interval(1, inf)] | None = None,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")] = 5,
        fit_intercept: bool = True,
    ) -> None:
        self.criterion = criterion
        self.max_features = max_features
        self.cv = cv
        self.fit_intercept = fit_intercept

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                requires_y=True,
                sparse=True,
                tier="one pass",
                preserves_dtype=("float64", "float32"),
            )
        )

    def fit(self, X: Any, y: Any) -> Self:
        """Find the best subsets and choose one.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, of at most 63 features.
        y : array-like of shape (n,)
            Numbers.

        Returns
        -------
        self
        """
        self._check_parameters()
        plain, target = self._read_with_target(X, y, check_finite="deferred", min_rows=2)
        table = with_target(plain, target)
        if table.y is None or table.y.shape[1] != 1:
            raise InvalidDataError(
                f"{type(self).__name__}: y must be one column of numbers, got "
                f"{'labels' if table.y is None else f'{table.y.shape[1]} targets'}."
            )
        moments = MemorySource(table).compute(Moments)
        folds: Parts = []
        if self.criterion == "cv":
            splits = splits_of(self.cv, table.x, table.y)
            folds = PartStatistics.of(MemorySource(table), Moments, splits, table.n_rows).parts
        return self._choose(moments, folds)

    def _fit_stream(self, stream: Stream) -> Self:
        """Choose from the moments of a stream, of all rows or of each fold, in one pass."""
        self._check_parameters()
        source: Any = self._source(stream)
        if source.first.y is None or source.first.y.shape[1] != 1:
            raise InvalidDataError(f"{type(self).__name__}: y must be one column of numbers.")
        if self.criterion != "cv":
            return self._choose(source.compute(Moments), [])
        hashed = stream.by_entity(hashed_folds(self.cv, type(self).__name__))
        atoms = source.compute_numbered(Moments, hashed.folds_of, hashed.n_splits)
        known = [atom for atom in atoms if atom is not None]
        if len(known) < len(atoms):
            raise InvalidDataError(
                f"{type(self).__name__}: the rows are too few for {hashed.n_splits} folds."
            )
        parts = PartStatistics.of_folds(known)
        assert parts.whole is not None
        return self._choose(parts.whole, parts.parts)

    def _choose(self, moments: Moments, parts: Parts) -> Self:
        """The best subsets by size, and among them the one the criterion prefers."""
        found = self._search(moments, moments.n_features)
        self.subsets_, self.rss_, self.n_nodes_ = found.subsets, found.squares, found.nodes
        self.criteria_, folds = self._criteria(parts, moments, found)
        values = self.criteria_[self.criterion]
        at = int(np.argmax(values) if self.criterion in _HIGHER else np.argmin(values))
        self.support_ = np.zeros(moments.n_features, dtype=bool)
        self.support_[self.subsets_[at]] = True
        self.history_ = self._history(values, folds, at)
        self.caveat_ = CAVEAT
        return self

    def _search(self, moments: Moments, n_features: int) -> BestSubsets:
        """The best subsets of up to as many columns as the rows can tell apart."""
        centred = moments if self.fit_intercept else moments.about_zero()
        room = moments.n_rows - 1 - int(self.fit_intercept)
        limit = n_features if self.max_features is None else self.max_features
        most = min(n_features, limit, max(room, 1))
        owner = type(self).__name__
        return best_subsets(centred.xx, centred.xy[:, 0], float(centred.yy[0, 0]), most, owner)

    def _criteria(
        self, parts: Parts, moments: Moments, found: BestSubsets
    ) -> tuple[dict[str, Array], Array]:
        sizes = np.arange(len(found.squares))
        p, n = moments.n_features, moments.weight
        centred = moments if self.fit_intercept else moments.about_zero()
        total = float(centred.yy[0, 0])
        freedom = n - p - int(self.fit_intercept)
        full = float("nan")
        if freedom > 0 and len(sizes) == p + 1 and found.squares[-1] > 0:
            full = found.squares[-1] / freedom
        criteria = LinearCriteria(n, total, self.fit_intercept, full)
        names = ("adjusted_r2", "aic", "bic", "cp")
        values = {name: getattr(criteria, name)(found.squares, sizes) for name in names}
        if self.criterion == "cp" and not np.isfinite(full):
            raise InvalidDataError(
                f"{type(self).__name__}: Cp needs the residual variance of the model of all "
                f"{p} features, and {moments.n_rows} rows (or max_features) leave none; use "
                "another criterion."
            )
        share = found.squares / total if total > 0 else np.ones(len(sizes))
        values["r2"] = 1.0 - share
        folds = np.empty((len(sizes), 0))
        if self.criterion == "cv":
            folds = self._fold_scores(parts, len(sizes))
            values["cv"] = folds.mean(axis=1)
        return values, folds

    def _fold_scores(self, parts: Parts, sizes: int) -> Array:
        """Negative mean squared errors (sizes × folds); the search is repeated in every fold."""
        scores = np.full((sizes, len(parts)), -inf)
        for f, (train, test) in enumerate(parts):
            for m, columns in enumerate(self._search(train, train.n_features).subsets[:sizes]):
                scores[m, f] = -_error(
                    train.subset(columns), test.subset(columns), self.fit_intercept
                )
        return scores

    def _history(self, values: Array, folds: Array, chosen: int) -> SelectionHistory:
        names = input_names(self)
        steps = []
        for m, (value, subset) in enumerate(zip(values, self.subsets_, strict=True)):
            new = set(subset.tolist()) - set(self.subsets_[m - 1].tolist()) if m else set()
            added = [str(names[k]) for k in sorted(new)]
            steps.append(
                SelectionStep(
                    m,
                    "choose" if m == chosen else ("add" if m else "start"),
                    next(iter(new)) if len(new) == 1 else None,
                    ", ".join(added) or None,
                    m,
                    float(value),
                    folds[m],
                    support=tuple(subset.tolist()),
                )
            )
        return SelectionHistory(tuple(steps), self.criterion, self.criterion in _HIGHER)


def _error(train: Moments, test: Moments, intercept: bool) -> float:
    """Mean squared error on the test rows of least squares on the training rows."""
    if not intercept:
        train, test = train.about_zero(), test.about_zero()
    coef = np.linalg.lstsq(train.xx, train.xy, rcond=1e-12)[0][:, 0]
    inside = test.yy[0, 0] - coef @ (2.0 * test.xy[:, 0] - test.xx @ coef)
    shift = (test.y_mean - train.y_mean)[0] - (test.x_mean - train.x_mean) @ coef
    return float(max(inside, 0.0) / test.weight + shift**2)
