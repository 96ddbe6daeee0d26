"""Fitting logistic regression: labels and weights to codes, a solution to attributes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator
from stylobate.base.classes import class_weights, read_classes
from stylobate.base.validation import input_names
from stylobate.data import Table, read_labels, read_weights
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, joined
from stylobate.linear_model.logistic.request import LogisticRequest
from stylobate.linear_model.logistic.solution import Start, solve_logistic
from stylobate.linear_model.shared.convergence import remedies, warn_not_converged
from stylobate.optimize.logistic.smooth import choose_solver
from stylobate.statistics import refuse_out_of_range
from stylobate.statistics.columns.range import LARGEST, refuse_extreme_weights

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream
    from stylobate.linear_model.logistic.logistic_regression import LogisticRegression
    from stylobate.optimize.logistic import LogisticSolution
    from stylobate.optimize.logistic.batches import ClassCounts, ClassRows
    from stylobate.optimize.logistic.separation import Separation

MOST_COLUMNS = 2000  # whose Hessian, of columns × columns, passes add up for an ℓ1 penalty


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFacts:
    """What a summary needs besides the coefficients: rows, weights by class, information."""

    n_rows: int
    class_totals: Array
    loss: float
    penalised: bool
    information: Any


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Rows, classes, the rows' class numbers and weights."""

    table: Table
    classes: NDArray[Any]
    codes: NDArray[np.int64]
    weights: Array | None


def fit_in_memory(
    model: LogisticRegression, request: LogisticRequest, X: Any, y: Any, sample_weight: Any
) -> None:
    """Read, solve, store."""
    start = _last_answer(model)
    table = model._read(X, None, None, reset=True, check_finite="deferred", y_required=False)
    known = _labelled(model, table, y, sample_weight)
    n_classes = len(known.classes)
    if request.solver == "liblinear" and n_classes > 2:
        raise InvalidDataError(
            f"{request.owner}: The 'liblinear' solver does not support multiclass classification "
            f"(n_classes >= 3), got {n_classes} classes. Use solver='auto', or a one-versus-rest "
            "scheme around this estimator."
        )
    _refuse_unusable(table, known, request)
    start = _of_shape(start, 1 if n_classes == 2 else n_classes, table.n_features)
    solution, separation = solve_logistic(
        table.x, known.codes, n_classes, known.weights, request, start
    )
    totals = np.bincount(known.codes, weights=known.weights, minlength=n_classes).astype(float)
    n_rows = table.n_rows if known.weights is None else int(np.count_nonzero(known.weights))
    kind = table.x.dtype if request.solver != "liblinear" else np.dtype(np.float64)
    _store(model, known.classes, solution, separation, totals, n_rows, request, kind)


def _refuse_unusable(table: Table, known: Labelled, request: LogisticRequest) -> None:
    """Refuse NaN, infinities and columns out of range, unless the solver's own passes will."""
    n_classes = len(known.classes)
    counted = known.weights is None or bool(known.weights.all())
    if n_classes == 2 and counted and request.l1 == 0.0 and request.l2 > 0.0:
        name, _ = choose_solver(table.x, n_classes, request.l2, request.solver)
        if name == "newton-cholesky":
            return  # a gradient and a Hessian of such rows are not finite either
    if not table.finite:
        table.refuse_nonfinite()
    values = table.x.data if table.is_sparse else table.x
    # with a penalty, a column too small to be squared has the coefficient 0 it should have
    far = values.size and max(abs(float(values.max())), abs(float(values.min()))) > LARGEST
    if far or not request.penalised:
        refuse_out_of_range(table)


def _labelled(model: Any, table: Table, y: Any, sample_weight: Any) -> Labelled:
    owner = type(model).__name__
    weights = read_weights(sample_weight, table.n_rows, owner=owner)
    if weights is not None:
        refuse_extreme_weights(weights, owner, smallest=0.0)
    classes, codes = read_classes(y, owner=owner, n_rows=table.n_rows)
    if weights is not None and not weights.all():  # a row of weight 0 is no row
        present = np.unique(codes[weights > 0])
        if len(present) < len(classes):
            classes, codes = _reduced(classes, codes, present, weights, owner)
    if model.class_weight is None:
        return Labelled(table, classes, codes, weights)
    factors = class_weights(model.class_weight, classes, codes, owner=owner, sample_weight=weights)
    if not (np.isfinite(factors).all() and (factors > 0.0).all()):
        raise InvalidDataError(
            f"{owner}: class_weight must give every class a positive number, got "
            f"{dict(zip(classes.tolist(), factors.tolist(), strict=True))!r}."
        )
    by_row = factors[codes]
    return Labelled(table, classes, codes, by_row if weights is None else weights * by_row)


def _reduced(
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    present: NDArray[np.int64],
    weights: Array,
    owner: str,
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Classes of which a row counts; rows that do not count get the first one's number."""
    if len(present) < 2:
        raise InvalidDataError(
            f"{owner} needs samples of at least 2 classes in the data, but all rows of positive "
            f"weight are of one class: {classes.tolist()[present[0]]!r}."
        )
    numbers = np.zeros(len(classes), dtype=np.int64)
    numbers[present] = np.arange(len(present))
    return classes[present], numbers[codes]


def _last_answer(model: Any) -> Start | None:
    if not model.warm_start or not hasattr(model, "coef_"):
        return None
    coef = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    return np.asarray(coef, dtype=np.float64), np.asarray(model.intercept_, dtype=np.float64)


def _of_shape(start: Start | None, outputs: int, columns: int) -> Start | None:
    return start if start is not None and start[0].shape == (outputs, columns) else None


# --- batches --------------------------------------------------------------------------------------


def label_reader(model: LogisticRegression, stream: Stream) -> Callable[[Batch], Table]:
    """The door for batches: tables whose target is codes of their own classes."""
    owner, first = type(model).__name__, True

    def read(batch: Batch) -> Table:
        nonlocal first
        table = model._read(batch.x, None, batch.weights, reset=first, y_required=False)
        first = False
        if stream.passes <= 1:
            refuse_out_of_range(table)
        classes, codes = read_labels(batch.y, owner=owner, n_rows=table.n_rows)
        return replace(table, y=codes.astype(np.float64)[:, np.newaxis], classes=classes)

    return read


def needs_rows_after_all(rows: ClassRows, counts: ClassCounts) -> bool:
    """Whether an ℓ1 penalty needs the rows: passes are for two classes and a dense Hessian."""
    return len(counts.classes) > 2 or rows.source.n_features > MOST_COLUMNS


def fit_stream(model: LogisticRegression, request: LogisticRequest, stream: Stream) -> None:
    """One pass for the classes, then one per Newton step."""
    from stylobate.optimize.logistic.batches import ClassRows, count_classes, solve_batches

    owner = type(model).__name__
    rows = ClassRows.of(stream, label_reader(model, stream), owner)
    counts = count_classes(rows)
    if request.l1 > 0.0 and needs_rows_after_all(rows, counts):
        BaseEstimator._fit_stream(model, stream)  # collects them
        return
    codes = np.arange(len(counts.classes))
    factors = class_weights(
        model.class_weight, counts.classes, codes, owner=owner, sample_weight=counts.weights
    )
    solution, separation = solve_batches(
        rows,
        counts,
        factors,
        l1=request.l1,
        l2=request.l2,
        fit_intercept=request.fit_intercept,
        tol=request.gap,
        max_iter=request.max_iter,
    )
    totals = counts.weights * factors
    n_rows, kind = counts.n_rows, np.dtype(float)
    _store(model, counts.classes, solution, separation, totals, n_rows, request, kind)


# --- storing --------------------------------------------------------------------------------------


def _store(
    model: Any,
    classes: NDArray[Any],
    solution: LogisticSolution,
    separation: Separation | None,
    totals: Array,
    n_rows: int,
    request: LogisticRequest,
    kind: np.dtype[Any],
) -> None:
    model.classes_ = classes
    model.coef_ = solution.coef.astype(kind, copy=False)
    model.intercept_ = solution.intercept.astype(kind, copy=False)
    model.n_iter_ = np.array([max(solution.iterations, 1)], dtype=np.int32)
    model.certificate_ = solution.certificate
    model.trace_ = solution.trace
    model.solver_ = solution.solver
    model.solver_reason_ = solution.reason
    model.separation_ = separation
    coef = solution.coef
    penalty = request.l1 * np.abs(coef).sum() + 0.5 * request.l2 * np.vdot(coef, coef)
    loss = float(solution.certificate.primal - penalty)
    model._facts = LogisticFacts(n_rows, totals, loss, request.penalised, solution.information)
    if separation is not None:
        _warn_separated(model, request, separation)
    elif solution.diverging:
        _warn_diverging(request, solution)
    elif not solution.converged:
        warn_not_converged(
            request.owner,
            solution.solver,
            solution.iterations,
            solution.certificate,
            tol=request.gap,
            advice=remedies(request.solver),
        )


def _warn_diverging(request: LogisticRequest, solution: LogisticSolution) -> None:
    warnings.warn(
        f"{request.owner}: the coefficients still grow after {solution.iterations} iterations "
        "while the likelihood hardly rises, as they do without end where classes are separated but "
        "for rows on the boundary. Batches cannot prove that; fit the rows, or some of them, in "
        "memory to see it, or set C to a finite number.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )


def _warn_separated(model: Any, request: LogisticRequest, separation: Separation) -> None:
    names = [str(name) for name in input_names(model)]
    warnings.warn(
        f"{request.owner}: {separation.words(names)} (see separation_). Without a penalty the "
        "likelihood then has no maximum and the coefficients grow without end; those kept are "
        "where the iterations stopped. Set C to a finite number.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )
