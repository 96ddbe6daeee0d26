"""Stepwise regression: in and out by AIC, BIC or p-values."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import HasMethods, Interval, Tags
from stylobate.base.delegation import tags_of
from stylobate.base.validation import input_names
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.feature_selection.history import CAVEAT, SelectionHistory, SelectionStep
from stylobate.feature_selection.selector import FeatureSelector
from stylobate.feature_selection.stepwise_models import (
    FittedNeighbours,
    LinearNeighbours,
    Neighbours,
)
from stylobate.feature_selection.targets import with_target
from stylobate.sources import MemorySource, source_of
from stylobate.statistics import Moments

Move = tuple[int, float, NDArray[np.intp], NDArray[np.float64]]


class StepwiseSelector(FeatureSelector):
    """Add or remove one feature at a time while a criterion improves, as R's ``step`` does.

    For linear regression every candidate of every step is read off the moments of the rows, which
    are passed over once. Other models are fitted one by one and tell their likelihood in
    ``summary()``.

    Parameters
    ----------
    estimator : estimator or None, default=None
        None: linear least squares, from moments. Else a model with ``summary()``, such as a GLM.
    criterion : {"aic", "bic", "p-value"}, default="aic"
        What a step must improve; "p-value" uses the thresholds below.
    direction : {"forward", "backward", "both"}, default="both"
        Whether features may come, go, or both.
    start : {"auto", "empty", "full"}, default="auto"
        Where to start: "auto" is full for "backward" and empty otherwise.
    p_enter : float in (0, 1), default=0.05
        A feature comes in if its p-value is below.
    p_remove : float in (0, 1), default=0.1
        A feature goes out if its p-value is above; at least `p_enter`, or steps would not end.
    fit_intercept : bool, default=True
        Whether the linear model (``estimator=None``) has an intercept.
    max_steps : int in [1, inf) or None, default=None
        Limit of steps.

    Attributes
    ----------
    support_ : array of bool of shape (n_features,)
        Which features are selected.
    criterion_ : float
        AIC or BIC of the selection (AIC with "p-value").
    aliased_ : list of int
        Features that could not come in, as they depend linearly on the selected ones.
    history_ : SelectionHistory
        Every step with the criterion (or p-value) of all candidates.
    caveat_ : str
        What this means for later p-values.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    The p-values here steer a search; they are no tests. Nor are those of a regression on the
    selected features: they take the selection for granted and are too small.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import StepwiseSelector
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> chosen = StepwiseSelector(criterion="bic").fit(X, y)
    >>> chosen.get_feature_names_out()
    array(['sex', 'bmi', 'bp', 's1', 's2', 's5'], dtype=object)
    >>> print(chosen.history_)
    step  action  feature  n_features       bic
       0  start                     0   5100.42
       1  add     bmi               1   4920.22
    ...

    References
    ----------
    Akaike (1974), A new look at the statistical model identification, IEEE Trans. Aut. Control 19.
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit", "summary")] | None = None,
        *,
        criterion: Literal["aic", "bic", "p-value"] = "aic",
        direction: Literal["forward", "backward", "both"] = "both",
        start: Literal["auto", "empty", "full"] = "auto",
        p_enter: Annotated[float, Interval(0, 1, closed="neither")] = 0.05,
        p_remove: Annotated[float, Interval(0, 1, closed="neither")] = 0.1,
        fit_intercept: bool = True,
        max_steps: Annotated[int, Interval(1, inf)] | None = None,
    ) -> None:
        self.estimator = estimator
        self.criterion = criterion
        self.direction = direction
        self.start = start
        self.p_enter = p_enter
        self.p_remove = p_remove
        self.fit_intercept = fit_intercept
        self.max_steps = max_steps

    def _tags(self) -> Tags:
        sparse = True if self.estimator is None else tags_of(self.estimator).sparse
        return (
            super()
            ._tags()
            .but(
                requires_y=True,
                sparse=sparse,
                tier="one pass" if self.estimator is None else "all rows",
                preserves_dtype=("float64", "float32"),
            )
        )

    def fit(self, X: Any, y: Any) -> Self:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Target.

        Returns
        -------
        self
        """
        self._check_rules()
        finite = "deferred" if self.estimator is None else "now"
        table, target = self._read_with_target(X, y, check_finite=finite)
        models: Neighbours
        if self.estimator is None:
            numbers = with_target(table, target)
            self._refuse_target(numbers.y)
            moments = MemorySource(numbers).compute(Moments)
            models = LinearNeighbours.of(moments, intercept=self.fit_intercept)
        else:
            models = FittedNeighbours(self.estimator, table.x, target, type(self).__name__)
        return self._select(models, table.n_features)

    def _fit_stream(self, stream: Stream) -> Self:
        """Select from the moments of a stream; models that are fitted one by one need the rows."""
        if self.estimator is not None:
            return super()._fit_stream(stream)
        self._check_rules()
        source = source_of(stream, self._batch_reader(), type(self).__name__)
        moments = source.compute(Moments)
        self._refuse_targets(moments.n_targets)
        models = LinearNeighbours.of(moments, intercept=self.fit_intercept)
        return self._select(models, moments.n_features)

    def _check_rules(self) -> None:
        self._check_parameters()
        if self.p_enter > self.p_remove:
            raise InvalidParameterError(
                f"{type(self).__name__}: p_enter must not exceed p_remove, or features would come "
                f"and go without end; got p_enter={self.p_enter}, p_remove={self.p_remove}."
            )

    def _select(self, models: Neighbours, n_features: int) -> Self:
        search = _Search(self, models, self._beginning(models, n_features))
        search.run()
        self.support_ = search.support
        self.history_ = SelectionHistory(tuple(search.steps), self.criterion, False)
        self.criterion_ = models.value(search.support, search.measure)
        outside = np.flatnonzero(~search.support)
        usable = models.usable(search.support, outside)
        self.aliased_ = [int(k) for k in outside[~usable]]
        self.caveat_ = CAVEAT
        return self

    def _refuse_target(self, y: NDArray[np.float64] | None) -> None:
        self._refuse_targets(None if y is None else y.shape[1])

    def _refuse_targets(self, count: int | None) -> None:
        if count != 1:
            what = "labels" if count is None else f"{count} targets"
            raise InvalidDataError(
                f"{type(self).__name__}: y must be one column of numbers for linear regression, "
                f"got {what}."
            )

    def _beginning(self, models: Neighbours, n_features: int) -> Mask:
        """The set to start from; of dependent columns the later ones stay out."""
        support = np.zeros(n_features, dtype=bool)
        full = self.start == "full" or (self.start == "auto" and self.direction == "backward")
        if full:
            for k in range(n_features):
                support[k] = models.usable(support, np.array([k]))[0]
        return support


@dataclass(slots=True)
class _Search:
    """The steps of one selection."""

    rules: StepwiseSelector
    models: Neighbours
    support: Mask
    steps: list[SelectionStep] = field(default_factory=list)
    names: NDArray[np.object_] = field(init=False)

    def __post_init__(self) -> None:
        self.names = input_names(self.rules)

    @property
    def measure(self) -> str:
        return "aic" if self.rules.criterion == "p-value" else self.rules.criterion

    def run(self) -> None:
        now = self.models.value(self.support, self.measure)
        self._record("start", None, now)
        seen = {self.support.tobytes()}
        while self.rules.max_steps is None or len(self.steps) <= self.rules.max_steps:
            by_p = self.rules.criterion == "p-value"
            move = self._by_p_value() if by_p else self._by_criterion(self.steps[-1].score)
            if move is None:
                return
            feature, score, candidates, values = move
            self.support[feature] = not self.support[feature]
            if self.support.tobytes() in seen:  # rounding must not make it go round in circles
                self.support[feature] = not self.support[feature]
                return
            seen.add(self.support.tobytes())
            action: Literal["add", "remove"] = "add" if self.support[feature] else "remove"
            self._record(action, feature, score, candidates, values)

    def _candidates(self, *, inside: bool) -> NDArray[np.intp]:
        """Columns that may move that way."""
        wanted = self.rules.direction
        if wanted == ("forward" if inside else "backward"):
            return np.empty(0, dtype=np.intp)
        found = np.flatnonzero(self.support == inside)
        return found[self.models.usable(self.support, found)] if len(found) else found

    def _by_criterion(self, now: float) -> Move | None:
        parts = [self._candidates(inside=False), self._candidates(inside=True)]
        candidates = np.concatenate(parts)
        if not len(candidates):
            return None
        values = self.models.values(self.support, candidates, self.measure)
        at = int(np.argmin(np.where(np.isnan(values), inf, values)))
        if not values[at] < now:
            return None
        return int(candidates[at]), float(values[at]), candidates, values

    def _by_p_value(self) -> Move | None:
        """First whatever has become superfluous goes, then the most significant comes."""
        going = self._candidates(inside=True)
        if len(going):
            p = self.models.p_values(self.support, going)
            at = int(np.argmax(p))
            if p[at] > self.rules.p_remove:
                return int(going[at]), float(p[at]), going, p
        coming = self._candidates(inside=False)
        if len(coming):
            p = self.models.p_values(self.support, coming)
            at = int(np.argmin(p))
            if p[at] < self.rules.p_enter:
                return int(coming[at]), float(p[at]), coming, p
        return None

    def _record(
        self,
        action: Literal["start", "add", "remove"],
        feature: int | None,
        score: float,
        candidates: NDArray[np.intp] | None = None,
        values: NDArray[np.float64] | None = None,
    ) -> None:
        self.steps.append(
            SelectionStep(
                len(self.steps),
                action,
                feature,
                None if feature is None else str(self.names[feature]),
                int(self.support.sum()),
                score,
                candidates=np.empty(0, dtype=np.intp) if candidates is None else candidates,
                candidate_scores=np.empty(0) if values is None else values,
                support=tuple(np.flatnonzero(self.support).tolist()),
            )
        )
