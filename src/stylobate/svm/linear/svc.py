"""Linear support vector classification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.base import Interval, Options, RandomState, Tags, class_weights, read_classes
from stylobate.base.randomness import seed_of
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model.shared.classifier import LinearClassifier
from stylobate.losses.named import loss_named
from stylobate.optimize.certificate import Certificate
from stylobate.parallel import join_threadpoolctl
from stylobate.svm.linear.choice import (
    SOLVERS,
    MarginRequest,
    refuse_combination,
    refuse_unusable,
    solve_margins,
)
from stylobate.svm.linear.fit import store
from stylobate.svm.linear.problem import LinearMachines, MarginObjective

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Batch, Stream
    from stylobate.optimize.linear_gap_passes import OneAgainstRest
    from stylobate.statistics import Source


class LinearSVC(LinearClassifier):
    r"""Linear support vector classification.

    .. math:: \min_{w, b} \; \tfrac12 \|w\|^2 + \tfrac12 (b/s)^2
              + C \sum_i \omega_i\,\ell(y_i\,(x_i^\top w + b))

    with :math:`\ell(m) = \max(0, 1 - m)^2` or :math:`\max(0, 1 - m)` and y = ±1. The intercept
    is penalised, as a weight of one more column of the constant value s (`intercept_scaling`).
    More than two classes are one such problem each, against the rest.

    The squared hinge is solved by semismooth Newton steps, each one pass over the rows, so that
    rows may also be read from a stream; the hinge by a quadratic program of the rows near the
    margin, exactly. ``certificate_`` bounds how far the objective may be from its minimum.

    Parameters
    ----------
    penalty : {"l2", "l1"}, default="l2"
        ½‖w‖² or ‖w‖₁ (of b/s too); "l1" uses few columns and needs the squared hinge.
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        ℓ.
    dual : {"auto"} or bool, default="auto"
        For compatibility: combinations that LIBLINEAR has no method for are refused as in
        scikit-learn; which form is solved does not change the answer.
    tol : float in (0, inf), default=1e-4
        The relative gap to be proved is 0.01·tol; most methods reach far less.
    C : float in (0, inf), default=1.0
        Weight of the losses; small values mean a strong penalty.
    multi_class : {"ovr", "crammer_singer"}, default="ovr"
        One class against the rest, or one joint problem of all classes (`loss`, `penalty` and
        `dual` are then ignored).
    fit_intercept : bool, default=True
        Whether there is b.
    intercept_scaling : float in (0, inf), default=1.0
        s; the larger, the less b is penalised.
    class_weight : mapping, "balanced" or None, default=None
        Factors of the classes' losses.
    verbose : int in [0, inf), default=0
        For compatibility; nothing is printed.
    random_state : int, RandomState or None, default=None
        Seed of the orders of rows in "dual", "pegasos" and with "crammer_singer".
    max_iter : int in [0, inf), default=1000
        Steps, or passes over the rows, at most.
    solver : {"auto", "newton", "dual", "pegasos"}, default="auto"
        "newton" as above, "dual" coordinate descent in the dual (many columns), "pegasos"
        stochastic subgradients, for study: a few digits only. The others agree to the gap.

    Attributes
    ----------
    coef_ : array of shape (1, n_features) or (n_classes, n_features)
        Weights.
    intercept_ : array of shape (1,) or (n_classes,), or 0.0
        Intercepts.
    classes_ : array of shape (n_classes,)
        Labels.
    n_iter_ : int
        Steps or passes made, the most of any class.
    solver_, solver_reason_ : str
        The method, and why.
    certificate_ : Certificate
        Primal and dual value, the gap between them, summed over the problems.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[-1.0, 0.0], [-2.0, 1.0], [1.0, 0.5], [2.0, -1.0]]
    >>> model = LinearSVC().fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict([[3.0, 0.0], [-3.0, 0.0]])
    array(['yes', 'no'], dtype='<U3')
    >>> model.certificate_.optimal
    True

    References
    ----------
    Cortes & Vapnik (1995), Support-vector networks, Machine Learning 20. Fan, Chang, Hsieh, Wang &
    Lin (2008), LIBLINEAR: a library for large linear classification, JMLR 9.
    """

    class_weight: Mapping[Any, float] | str | None
    certificate_: Certificate
    n_iter_: int

    def __init__(
        self,
        penalty: Annotated[str, Options("l1", "l2")] = "l2",
        loss: Annotated[str, Options("hinge", "squared_hinge")] = "squared_hinge",
        *,
        dual: bool | Annotated[str, Options("auto")] = "auto",
        tol: Annotated[float, Interval(0, inf, "neither")] = 1e-4,
        C: Annotated[float, Interval(0, inf, "neither")] = 1.0,
        multi_class: Annotated[str, Options("ovr", "crammer_singer")] = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: Annotated[float, Interval(0, inf, "neither")] = 1,
        class_weight: Annotated[str, Options("balanced")] | dict[Any, float] | None = None,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        random_state: RandomState = None,
        max_iter: Annotated[int, Interval(0, inf)] = 1000,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.solver = solver

    def _tags(self) -> Tags:
        tier = "all rows" if self._needs_rows else "one pass per iteration"
        return super()._tags().but(tier=tier)

    @property
    def _needs_rows(self) -> bool:
        joint = self.multi_class == "crammer_singer"
        by_passes = self.loss == "squared_hinge" and self.penalty == "l2"
        return joint or not by_passes or self.solver not in ("auto", "newton")

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative factors of the rows' losses; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        request = self._request()
        table = self._read(
            X, None, sample_weight, reset=True, y_required=False, check_finite="deferred"
        )
        owner = type(self).__name__
        classes, codes = read_classes(y, owner=owner, n_rows=table.n_rows)
        factors = class_weights(
            self.class_weight, classes, codes, owner=owner, sample_weight=table.weights
        )
        if self.multi_class == "crammer_singer":
            self._fit_joint(table, classes, codes, factors, request)
            return self
        table = replace(table, y=codes.astype(np.float64)[:, np.newaxis])
        self._fit_classes(self._source(table), classes, factors, request)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """A pass over the labels, then one for every Newton step of all classes."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        from stylobate.base.stream_labels import LabelCounts

        request, owner = self._request(), type(self).__name__
        counts = LabelCounts.of(stream, owner)
        factors = class_weights(
            self.class_weight,
            counts.classes,
            np.arange(len(counts.classes)),
            owner=owner,
            sample_weight=counts.rows,
        )
        first = True

        def read(batch: Batch) -> Table:
            nonlocal first
            table = self._read(batch.x, None, batch.weights, reset=first, y_required=False)
            first = False
            codes = counts.codes(batch.y, table.n_rows, owner)
            return replace(table, y=codes.astype(np.float64)[:, np.newaxis])

        self._fit_classes(self._source(stream, read), counts.classes, factors, request)
        return self

    def _request(self) -> MarginRequest:
        self._check_parameters()
        join_threadpoolctl()
        name = type(self).__name__
        joint = self.multi_class == "crammer_singer"
        if joint and self.solver not in ("auto", "dual"):
            raise InvalidParameterError(
                f"{name}: multi_class='crammer_singer' is solved in the dual, got solver="
                f"{self.solver!r}; use solver='auto'."
            )
        if not joint:
            refuse_combination(name, self.loss, self.penalty, self.dual, self.solver)
        seed = seed_of(self.random_state)
        return MarginRequest(
            name, self.loss, self.penalty, self.solver, float(self.tol), self.max_iter, seed
        )

    @property
    def _scaling(self) -> float:
        return float(self.intercept_scaling) if self.fit_intercept else 0.0

    def _fit_classes(
        self, source: Source, classes: NDArray[Any], factors: Array, request: MarginRequest
    ) -> None:
        """One class against the rest."""
        objective = MarginObjective(loss_named(self.loss), float(self.C), self._scaling)
        found, name, reason = solve_margins(source, objective, _problems(factors), request)
        self.classes_ = classes
        store(self, LinearMachines.of(objective, found), name, reason, request)

    def _fit_joint(
        self,
        table: Table,
        classes: NDArray[Any],
        codes: Integers,
        factors: Array,
        request: MarginRequest,
    ) -> None:
        """All classes at once."""
        from stylobate.svm.linear.dual import solve_crammer_singer

        refuse_unusable(table)
        found = solve_crammer_singer(
            table,
            codes,
            factors,
            float(self.C),
            self._scaling,
            solver=self.solver,
            tol=request.relative_gap,
            max_iter=request.max_iter,
            seed=request.seed,
        )
        if len(classes) == 2:
            coef = found.coef[1:] - found.coef[:1]
            found = replace(found, coef=coef, intercept=found.intercept[1:] - found.intercept[:1])
        self.classes_ = classes
        store(self, found, "dual", "all classes at once, in the dual", request)


def _problems(factors: Array) -> list[OneAgainstRest]:
    """Two classes are one problem; of more, only the class against the rest has its factor."""
    from stylobate.optimize.linear_gap_passes import OneAgainstRest

    if len(factors) == 2:
        return [OneAgainstRest(1.0, -1.0, float(factors[1]), float(factors[0]))]
    return [OneAgainstRest(float(k), -1.0, float(own), 1.0) for k, own in enumerate(factors)]
