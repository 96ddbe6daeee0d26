"""What models fitted by stochastic gradient descent share: options, state, epochs, words."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags
from stylobate.base.randomness import seed_of
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    NumericalError,
    StylobateError,
    joined,
)
from stylobate.losses import Loss
from stylobate.losses.named import NAMED, loss_named
from stylobate.parallel import join_threadpoolctl

if TYPE_CHECKING:
    from stylobate.base.stream_labels import LabelCounts
    from stylobate.data import Table
    from stylobate.data.streams import Batch, Stream
    from stylobate.optimize.linear_gap_passes import OneAgainstRest
    from stylobate.optimize.sgd import SgdOptions, SgdProblem, SgdState
    from stylobate.statistics import Source


# the names users know → values of `stylobate.losses`
LOSSES = {
    name: NAMED[name].__name__
    for name in (
        "hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron", "squared_error",
        "huber", "epsilon_insensitive", "squared_epsilon_insensitive",
    )
}  # fmt: skip
WITH_EPSILON = ("huber", "epsilon_insensitive", "squared_epsilon_insensitive")
REGRESSION_LOSSES = (
    "squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive",
)  # fmt: skip
SCHEDULES = ("constant", "optimal", "invscaling", "adaptive", "pa1", "pa2")
PENALTIES = ("l2", "l1", "elasticnet")


class StochasticLinear(BaseEstimator):
    """Linear models that learn row by row; subclasses read the target and store the answer."""

    loss: str
    penalty: str | None
    alpha: float
    l1_ratio: float | None
    fit_intercept: bool
    max_iter: int
    tol: float | None
    shuffle: bool
    epsilon: float
    random_state: Any
    learning_rate: str
    eta0: float
    power_t: float
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    warm_start: bool
    average: bool | int
    batch_size: int

    _record = (0, 0)  # updates, and numbers of their weights, to keep in the history
    _passive_aggressive_loss = "hinge"
    _zero_is_positive = False  # a score of 0 is a mistake for both classes

    def _tags(self) -> Tags:
        # held-out rows are drawn from all of them; "adaptive" steps follow the course of the fit
        rows = self.early_stopping or self.learning_rate == "adaptive"
        return (
            super()._tags().but(sparse=True, tier="all rows" if rows else "one pass per iteration")
        )

    # --- parameters -------------------------------------------------------------------------------

    def _refuse_unsuitable(self, *, partial: bool) -> None:
        """Parameters that do not fit together."""
        name = type(self).__name__
        if partial and self.early_stopping:
            raise InvalidParameterError(
                f"{name}: early_stopping should be False with partial_fit, which makes one pass "
                "over the rows it is given."
            )
        if self.learning_rate == "optimal" and self.alpha == 0:
            raise InvalidParameterError(
                f"{name}: alpha must be > 0 since learning_rate is 'optimal', whose steps are "
                "1/(alpha·t); give a penalty, or another learning_rate with eta0."
            )
        needed = self._passive_aggressive_loss
        if self.learning_rate in ("pa1", "pa2") and self.loss != needed:
            raise InvalidParameterError(
                f"{name}: learning_rate {self.learning_rate!r} only works with loss {needed!r}, "
                f"got {self.loss!r}."
            )
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise InvalidParameterError(
                f"{name}: l1_ratio must be set when penalty is 'elasticnet', to a number in [0, 1]."
            )

    def _penalties(self) -> tuple[float, float]:
        """Factors of ‖w‖₁ and ½‖w‖²."""
        shares = {"l2": 0.0, "l1": 1.0, "elasticnet": self.l1_ratio}
        if self.penalty is None:
            return 0.0, 0.0
        share = float(shares[self.penalty] or 0.0)
        return float(self.alpha * share), float(self.alpha * (1.0 - share))

    def _loss_value(self) -> Loss:
        """The loss as a value."""
        own = (float(self.epsilon),) if self.loss in WITH_EPSILON else ()
        return loss_named(self.loss, *own)

    def _options(self, *, partial: bool, squared_score: bool) -> SgdOptions:
        from stylobate.optimize.sgd import SgdOptions

        l1, l2 = self._penalties()
        return SgdOptions(
            loss=self._loss_value().core,
            alpha=float(self.alpha),
            l1=l1,
            l2=l2,
            schedule=self.learning_rate,
            eta0=float(self.eta0),
            power_t=float(self.power_t),
            intercept=bool(self.fit_intercept),
            shuffle=bool(self.shuffle),
            max_epochs=1 if partial else int(self.max_iter),
            batch=int(self.batch_size),
            stops=not partial and self.tol is not None,
            tol=0.0 if self.tol is None else float(self.tol),
            patience=int(self.n_iter_no_change),
            average_from=float(self.average),
            seed=seed_of(self.random_state),
            first_epoch=self._state.epochs if partial else 0,
            squared_score=squared_score,
            zero_is_positive=self._zero_is_positive,
            most_updates=self._record[0],
            most_weights=self._record[1],
        )

    # --- state ------------------------------------------------------------------------------------

    def _start(self, n_problems: int, coef: Any, intercept: Any) -> None:
        """Set the state to the weights given, those of the last fit (warm start), or zero."""
        from stylobate.optimize.sgd import SgdState

        p = self.n_features_in_
        if self.warm_start and hasattr(self, "coef_"):
            coef = self.coef_ if coef is None else coef
            intercept = self.intercept_ if intercept is None else intercept
        coef = coef.toarray() if hasattr(coef, "toarray") else coef
        self._state: SgdState = SgdState.at(
            _shaped(coef, (n_problems, p), "coef_init", type(self).__name__),
            _shaped(intercept, (n_problems,), "intercept_init", type(self).__name__),
        )

    def _check_loaded(self) -> None:
        """Refuse a state of a file that belongs to other columns."""
        from stylobate.optimize.sgd import SgdState

        state = vars(self).get("_state")
        if "coef_" in vars(self) and (
            not isinstance(state, SgdState) or state.coef.size != np.prod(self.coef_.shape)
        ):
            raise ModelFileError(
                f"The {type(self).__name__} of the file cannot go on from where it stopped."
            )

    def _descend(
        self, problem: SgdProblem, *, partial: bool, squared_score: bool = False
    ) -> list[dict[str, Any]]:
        from stylobate.optimize.sgd import descend

        join_threadpoolctl()
        options = self._options(partial=partial, squared_score=squared_score)
        return self._keep(descend(problem, options, self._state), partial=partial)

    def _descend_passes(self, source: Source, classes: Array | None) -> list[dict[str, Any]]:
        """Epochs over the windows of a source, a pass each."""
        from stylobate.optimize.sgd_passes import descend_passes

        options = self._options(partial=False, squared_score=False)
        return self._keep(descend_passes(source, classes, options, self._state), partial=False)

    def _keep(self, reports: list[dict[str, Any]], *, partial: bool) -> list[dict[str, Any]]:
        """Store where a descent has come; refuses one that left the range of numbers."""
        state = self._state
        failed = [report["failed_epoch"] for report in reports if report["failed_epoch"]]
        if failed:
            raise NumericalError(
                f"{type(self).__name__}: the weights left the range of double precision in epoch "
                f"{self._epochs_before(partial) + failed[0]}. Scale the columns to mean 0 and "
                "variance 1, or make smaller steps (eta0, or a larger alpha with 'optimal')."
            )
        self.n_iter_ = max(report["epochs"] for report in reports)
        self.t_ = state.t
        averaged = 0 < self.average <= state.t - 1
        self.coef_: Any = (state.mean_coef if averaged else state.coef).copy()
        self.intercept_: Any = (state.mean_intercept if averaged else state.intercept).copy()
        self._tell(reports)
        return reports

    def _epochs_before(self, partial: bool) -> int:
        return self._state.epochs - 1 if partial else 0

    def _tell(self, reports: list[dict[str, Any]]) -> None:
        """The trace: what the objective was met at, summed over problems, epoch by epoch."""
        from stylobate.optimize.trace import Trace

        trace = Trace()
        for epoch in range(self.n_iter_):
            met = [r["objective"][min(epoch, len(r["objective"]) - 1)] for r in reports]
            trace.record(
                objective=float(sum(met)), gradient_norm=float("nan"), step=reports[0]["eta"]
            )
        self.trace_ = trace
        if self.early_stopping:
            scores = [np.asarray(report["score"]) for report in reports]
            self.validation_scores_: Any = scores[0] if len(scores) == 1 else scores

    def _warn_unless_converged(self, reports: list[dict[str, Any]], *, lost: bool) -> None:
        if lost:
            warnings.warn(
                f"{type(self).__name__}: the steps were too long and the answer is far worse than "
                "weights of zero. Scale the columns to mean 0 and variance 1, or make smaller "
                "steps (eta0, or a larger alpha with 'optimal').",
                joined(ConvergenceWarning),
                stacklevel=user_stacklevel(),
            )
            return
        if self.tol is None or all(report["converged"] for report in reports):
            return
        proof = getattr(self, "certificate_", None)
        gap = f" The objective may be {proof.relative_gap:.1%} above its minimum." if proof else ""
        warnings.warn(
            f"{type(self).__name__}: Maximum number of iteration reached before convergence "
            f"({self.n_iter_} epochs).{gap} Raise max_iter, scale the columns to mean 0 and "
            "variance 1, or use average=True.",
            joined(ConvergenceWarning),
            stacklevel=user_stacklevel(),
        )

    # --- rows that are not in memory --------------------------------------------------------------

    def _windows_of(self, stream: Stream, counts: LabelCounts | None = None) -> Source:
        """The rows of a stream, one beside the other in memory, labels as their numbers."""
        from stylobate.optimize.sgd import row_major

        first = True

        def read(batch: Batch) -> Table:
            nonlocal first
            y = None if counts is not None else batch.y
            table = self._read(batch.x, y, batch.weights, reset=first, y_required=y is not None)
            first = False
            table = replace(table, x=row_major(table.x))
            if counts is None:
                return table
            codes = counts.codes(batch.y, table.n_rows, type(self).__name__)
            return replace(table, y=codes.astype(np.float64)[:, np.newaxis])

        source = self._source(stream, read)
        _ = source.n_features  # the first batch says how many weights there are
        return source

    def _certify_answers(
        self, source: Source, coef: Array, intercept: Array, chosen: Sequence[OneAgainstRest | None]
    ) -> bool:
        """Set the certificate by passes; true if the answer is far worse than weights of zero."""
        from stylobate.optimize.linear_gap import LinearObjective, certify, diverged
        from stylobate.optimize.linear_gap_passes import LinearAnswer, bounds_by_passes

        l1, l2 = self._penalties()
        objective = LinearObjective(self._loss_value(), l1, l2, bool(self.fit_intercept))
        answers = [
            LinearAnswer(objective, w, float(b), one)
            for w, b, one in zip(coef, intercept, chosen, strict=True)
        ]
        parts = [bounds_by_passes(answer, source) for answer in answers]
        self.certificate_ = certify(formula_of(self.loss, l1, l2), parts, l2, coef)
        return diverged(parts)

    # --- rows held out ----------------------------------------------------------------------------

    def _split(self, table: Table, codes: NDArray[np.int64] | None) -> tuple[Any, Any]:
        """Numbers of the rows to learn from and to score on; rows of weight zero are no rows."""
        weights = table.weights
        rows = np.arange(table.n_rows) if weights is None else np.flatnonzero(weights)
        if not self.early_stopping:
            return rows, np.zeros(0, dtype=np.int64)
        from stylobate.splits import ShuffleSplit, StratifiedShuffleSplit

        kind = ShuffleSplit if codes is None else StratifiedShuffleSplit
        seed = seed_of(self.random_state) % 2**32
        splitter = kind(1, test_size=self.validation_fraction, random_state=seed)
        labels = None if codes is None else codes[rows]
        try:
            train, held = next(iter(splitter.split(rows[:, np.newaxis], labels)))
        except StylobateError as error:
            raise InvalidDataError(
                f"{type(self).__name__}: early_stopping cannot hold out "
                f"validation_fraction={self.validation_fraction!r} of {len(rows)} rows. {error}"
            ) from error
        return np.sort(rows[train]), np.sort(rows[held])


def _shaped(given: Any, shape: tuple[int, ...], name: str, owner: str) -> Array:
    if given is None:
        return np.zeros(shape)
    array = np.asarray(given, dtype=np.float64)
    if array.size != int(np.prod(shape)) or not np.isfinite(array).all():
        raise InvalidDataError(
            f"{owner}: {name} does not match dataset: it must be {shape} finite numbers, got shape "
            f"{array.shape}."
        )
    return array.reshape(shape)


def formula_of(loss: str, l1: float, l2: float) -> str:
    """The objective in symbols."""
    penalty = (" + α₁‖w‖₁" if l1 > 0.0 else "") + (" + ½α₂‖w‖²" if l2 > 0.0 else "")
    return f"mean {loss}(y, Xw + b)" + penalty
