"""The rows a model is most wrong about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import is_classifier
from stylobate.data.columns import Columns, read_columns
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inspection.changed_tables import names_of
from stylobate.splits.splitter import is_integer
from stylobate.splits.strata import as_array

_OWNER = "worst_mistakes"
_SHOWN = 5  # columns of a row that are told


@dataclass(frozen=True, slots=True)
class MistakenRow:
    """One row: what was true, what was said, and what the row holds.

    `row` is its place in X, from 0 as everywhere in Python (commands count from 1), `probability`
    what the model gave to the truth, `error` predicted − actual; None where there is none.
    """

    row: int
    actual: Any
    predicted: Any
    probability: float | None
    error: float | None
    loss: float
    values: dict[str, Any]

    def __str__(self) -> str:
        held = [f"{name} = {_brief(value)}" for name, value in list(self.values.items())[:_SHOWN]]
        more = ", …" if len(self.values) > _SHOWN else ""
        return f"Row {self.row}: {self._said()}.\n    {', '.join(held)}{more}"

    def _said(self) -> str:
        if self.error is not None:
            way = "above" if self.error > 0 else "below"
            return (
                f"predicted {_brief(self.predicted)}, was {_brief(self.actual)} "
                f"({abs(self.error):.4g} {way})"
            )
        sure = (
            "" if self.probability is None else f", to which it gave {100 * self.probability:.2g} %"
        )
        if self.predicted == self.actual:
            return f"rightly predicted {_brief(self.predicted)}{sure}"
        return f"predicted {_brief(self.predicted)}, was {_brief(self.actual)}{sure}"


@dataclass(frozen=True, slots=True)
class WorstMistakes:
    """The rows with the largest loss, the worst first; see `worst_mistakes`.

    Iterates over its rows; `loss_label` says what the loss is.
    """

    rows: tuple[MistakenRow, ...]
    loss_label: str
    n_rows: int

    def __iter__(self) -> Any:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> MistakenRow:
        return self.rows[place]

    def to_frame(self, library: str = "pandas") -> Any:
        """Row, truth, prediction, loss and the columns, as a data frame."""
        from stylobate.data.words import library as imported

        nw: Any = imported("narwhals", "WorstMistakes.to_frame")
        columns: dict[str, list[Any]] = {
            "row": [each.row for each in self.rows],
            "actual": [each.actual for each in self.rows],
            "predicted": [each.predicted for each in self.rows],
            "loss": [each.loss for each in self.rows],
        }
        for name in self.rows[0].values if self.rows else ():
            free = name if name not in columns else f"{name} (column)"
            columns[free] = [each.values[name] for each in self.rows]
        return nw.from_dict(columns, backend=library).to_native()

    def __str__(self) -> str:
        head = f"The {len(self.rows)} worst of {self.n_rows:,} rows by {self.loss_label}"
        return "\n".join([f"{head}, counted from 0", *map(str, self.rows)])

    def __repr__(self) -> str:
        return str(self)


def worst_mistakes(estimator: Any, X: Any, y: Any, *, n: int = 10) -> WorstMistakes:
    """The rows with the largest loss, in words: where to look first.

    The loss is the logarithmic one where a classifier gives probabilities, how far the margin is on
    the wrong side where it gives margins, else whether the label is wrong; of numbers it is the
    absolute error.

    Parameters
    ----------
    estimator : fitted estimator
        Ours or scikit-learn's, also a whole pipeline.
    X : table with as many rows as y
        Rows, best ones the model has not seen.
    y : array-like of shape (n_rows,)
        What they really are.
    n : int in [1, inf), default=10
        How many rows.

    Returns
    -------
    WorstMistakes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> print(worst_mistakes(LinearRegression().fit(X[["bmi", "s5"]], y), X[["bmi", "s5"]], y, n=2))
    The 2 worst of 442 rows by absolute error, counted from 0
    Row 289: predicted 227.075, was 68 (159.1 above).
        bmi = 0.0552293, s5 = 0.0612376
    Row 56: predicted 200.654, was 52 (148.7 above).
        bmi = 0.0412178, s5 = 0.0336538
    """
    if not is_integer(n) or n < 1:
        raise InvalidParameterError(f"{_OWNER}: n must be an integer in [1, inf), got {n!r}.")
    columns = read_columns(X, owner=_OWNER)
    truth = as_array(y)
    if truth.ndim != 1 or len(truth) != columns.n_rows:
        raise InvalidDataError(
            f"{_OWNER}: X has {columns.n_rows} rows and y the shape {truth.shape}; y needs one "
            "entry for each row."
        )
    predicted = as_array(estimator.predict(columns.native))
    if is_classifier(estimator):
        losses, shares, label = _class_losses(estimator, columns.native, truth, predicted)
        errors = None
    else:
        errors = predicted.astype(np.float64).reshape(-1) - truth.astype(np.float64)
        losses, shares, label = np.abs(errors), None, "absolute error"
    order = np.argsort(-losses, kind="stable")[: int(n)]
    names = names_of(columns, estimator)
    rows = tuple(
        MistakenRow(
            int(i),
            _scalar(truth[i]),
            _scalar(predicted.reshape(-1)[i]),
            None if shares is None else float(shares[i]),
            None if errors is None else float(errors[i]),
            float(losses[i]),
            _held(columns, names, int(i)),
        )
        for i in order
    )
    return WorstMistakes(rows, label, columns.n_rows)


def _class_losses(
    estimator: Any, X: Any, truth: NDArray[Any], predicted: NDArray[Any]
) -> tuple[Array, Array | None, str]:
    classes = np.asarray(estimator.classes_).tolist()
    known = {label: k for k, label in enumerate(classes)}
    place = np.array([known.get(label, -1) for label in truth.tolist()])
    rows = np.arange(len(truth))
    if hasattr(estimator, "predict_proba"):
        shares = np.asarray(estimator.predict_proba(X), dtype=np.float64)
        given = np.where(place >= 0, shares[rows, place], 0.0)
        return -np.log(np.maximum(given, np.finfo(float).tiny)), given, "log loss"
    if hasattr(estimator, "decision_function"):
        margins = np.asarray(estimator.decision_function(X), dtype=np.float64)
        if margins.ndim == 1:
            margins = np.column_stack([-margins, margins])
        if margins.shape[1] == len(classes):
            own = margins[rows, place]
            margins[rows, place] = -np.inf
            return margins.max(axis=1) - own, None, "margin on the wrong side"
    return (predicted != truth).astype(np.float64), None, "wrong label"


def _held(columns: Columns, names: list[str], row: int) -> dict[str, Any]:
    from stylobate.data.indexing import take_rows
    from stylobate.inspection.row_on_top import values_of

    one = take_rows(columns.native, np.array([row]))
    return {name: _scalar(value) for name, value in values_of(one, names).items()}


def _scalar(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _brief(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"
