"""Classifiers by stochastic gradient descent: labels, class weights, one class against the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.base import class_weights, read_classes
from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model.shared.classifier import LinearClassifier
from stylobate.linear_model.stochastic.model import StochasticLinear, formula_of

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Stream
    from stylobate.optimize.sgd import SgdProblem
    from stylobate.statistics import Source


class StochasticClassifier(LinearClassifier, StochasticLinear):
    """`fit` and `partial_fit` of classifiers; two classes are one problem, k classes are k."""

    class_weight: Mapping[Any, float] | str | None

    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Fit by stochastic gradient descent.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, best with columns of mean 0 and variance 1.
        y : array-like of shape (n,)
            Labels.
        coef_init : array-like of shape (1 or n_classes, n_features), optional
            Weights to start from.
        intercept_init : array-like of shape (1 or n_classes,), optional
            Intercepts to start from.
        sample_weight : array-like of shape (n,), optional
            Factors of the rows' losses; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._refuse_unsuitable(partial=False)
        table = self._read(X, None, sample_weight, reset=True, y_required=False)
        self.classes_, codes = read_classes(y, owner=type(self).__name__, n_rows=table.n_rows)
        self._start(self._n_problems(), coef_init, intercept_init)
        train, held = self._split(table, codes)
        problem = self._problem(table, codes, train, held)
        reports = self._descend(problem, partial=False)
        lost = self._certify(problem)
        self._warn_unless_converged(reports, lost=lost)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """A pass over the labels, then one for every epoch and two for the certificate."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        from stylobate.base.stream_labels import LabelCounts

        self._check_parameters()
        self._refuse_unsuitable(partial=False)
        name = type(self).__name__
        counts = LabelCounts.of(stream, name)
        self.classes_ = counts.classes
        factors = class_weights(
            self.class_weight,
            counts.classes,
            np.arange(len(counts.classes)),
            owner=name,
            sample_weight=counts.rows,
        )
        source = self._windows_of(stream, counts)
        self._start(self._n_problems(), None, None)
        classes = self._class_table(factors)
        reports = self._descend_passes(source, classes)
        lost = self._certify_passes(source, classes)
        self._warn_unless_converged(reports, lost=lost)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """One pass over some rows, from where the last call stopped.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Their labels.
        classes : array-like of shape (n_classes,), optional
            All labels there will be; needed in the first call.
        sample_weight : array-like of shape (n,), optional
            Factors of the rows' losses.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._refuse_unsuitable(partial=True)
        first = not hasattr(self, "classes_")
        name = type(self).__name__
        if first and isinstance(self.class_weight, str):
            raise InvalidParameterError(
                f"{name}: class_weight '{self.class_weight}' is not supported for partial_fit, as "
                "the classes still to come cannot be counted; give the weights as a mapping."
            )
        table = self._read(X, None, sample_weight, reset=first, y_required=False)
        self._agree_on_classes(classes, name)
        codes = self._codes(y, table.n_rows)
        if first:
            self._start(self._n_problems(), None, None)
        rows = np.arange(table.n_rows) if table.weights is None else np.flatnonzero(table.weights)
        self._descend(self._problem(table, codes, rows, rows[:0]), partial=True)
        vars(self).pop("certificate_", None)  # of rows of another fit
        return self

    # --- labels -----------------------------------------------------------------------------------

    def _n_problems(self) -> int:
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _agree_on_classes(self, classes: Any, name: str) -> None:
        """Remember the classes of the first call; refuse others later."""
        known = getattr(self, "classes_", None)
        if classes is None:
            if known is None:
                raise InvalidDataError(
                    f"{name}: classes must be passed on the first call to partial_fit."
                )
            return
        given = np.unique(np.asarray(classes))
        if known is None:
            if len(given) < 2:
                raise InvalidDataError(
                    f"{name}: the number of classes has to be greater than one; got {len(given)} "
                    "class."
                )
            self.classes_ = given
        elif not np.array_equal(known, given):
            raise InvalidDataError(
                f"{name}: `classes={classes!r}` is not the same as on last call to partial_fit, "
                f"was: {known!r}."
            )

    def _codes(self, y: Any, n_rows: int) -> Integers:
        """Numbers of the rows' classes among those announced."""
        seen, codes = read_labels(y, owner=type(self).__name__, n_rows=n_rows)
        place = np.searchsorted(self.classes_, seen)
        place = np.minimum(place, len(self.classes_) - 1)
        unknown = seen[self.classes_[place] != seen]
        if len(unknown):
            raise InvalidDataError(
                f"{type(self).__name__}: y holds {unknown[0]!r}, which is not among the classes "
                f"{self.classes_.tolist()!r}."
            )
        return place[codes].astype(np.int64)

    def _problem(self, table: Table, codes: Integers, train: Any, held: Any) -> SgdProblem:
        from stylobate.optimize.sgd import SgdProblem

        factors = class_weights(
            self.class_weight, self.classes_, codes[train], owner=type(self).__name__
        )
        classes = self._class_table(factors)
        return SgdProblem(table.x, codes.astype(np.float64), table.weights, classes, train, held)

    def _class_table(self, factors: Array) -> Array:
        """For each problem the class that becomes +1, its weight and the others' weight."""
        if len(self.classes_) == 2:
            return np.array([[1.0, factors[1], factors[0]]])
        k = np.arange(len(factors), dtype=np.float64)
        return np.column_stack([k, factors, np.ones_like(factors)])

    # --- how good ---------------------------------------------------------------------------------

    def _certify(self, problem: SgdProblem) -> bool:
        """Set the certificate; true if the answer is far worse than weights of zero."""
        from stylobate.optimize.linear_gap import LinearObjective, bounds, certify, diverged

        l1, l2 = self._penalties()
        objective = LinearObjective(self._loss_value(), l1, l2, bool(self.fit_intercept))
        problem = problem.learnt()
        assert problem.classes is not None
        low = 0.0 if self.loss == "log_loss" else -1.0
        n, parts = len(problem.train), []
        for k, (positive, its, others) in enumerate(problem.classes):
            chosen = problem.y == positive
            shares = np.where(chosen, its, others) / n
            if problem.weights is not None:
                shares = shares * problem.weights
            y = np.where(chosen, 1.0, low)
            parts.append(
                bounds(objective, problem.x, y, shares, self.coef_[k], float(self.intercept_[k]))
            )
        self.certificate_ = certify(formula_of(self.loss, l1, l2), parts, l2, self.coef_)
        return diverged(parts)

    def _certify_passes(self, source: Source, classes: Array) -> bool:
        """`_certify` by passes over the rows."""
        from stylobate.optimize.linear_gap_passes import OneAgainstRest

        low = 0.0 if self.loss == "log_loss" else -1.0
        chosen = [OneAgainstRest(positive, low, its, rest) for positive, its, rest in classes]
        return self._certify_answers(source, self.coef_, self.intercept_, chosen)
