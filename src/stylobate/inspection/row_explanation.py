"""Why a model says what it says about one row."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.base import is_classifier
from stylobate.base.randomness import seed_of
from stylobate.data.columns import Columns, read_columns
from stylobate.data.indexing import take_rows
from stylobate.exceptions import InvalidParameterError
from stylobate.inspection.changed_tables import names_of, picked, replaced
from stylobate.inspection.explanation import RowExplanation
from stylobate.inspection.row_on_top import row_on_top, values_of
from stylobate.inspection.scales import Scale, explained_class, scales_for
from stylobate.inspection.shapley import Hybrid, Shares, shares_of
from stylobate.inspection.tree_shares import tree_shares
from stylobate.inspection.typical import typical_rows
from stylobate.inspection.unseen import unseen_values
from stylobate.splits.splitter import is_integer

_OWNER = "explain_row"
_AT_ONCE = 20_000


def explain_row(
    estimator: Any,
    x: Any,
    background: Any = None,
    *,
    output: Any = None,
    max_background: int = 100,
    n_samples: int = 200,
    random_state: Any = 0,
) -> RowExplanation:
    """What each column adds to a prediction, compared with other rows.

    The contributions and the mean prediction of the background add up to the prediction. Models
    that add up over their columns (linear, logistic, naive Bayes, linear discriminants, also at the
    end of pipelines) are taken apart exactly, on the scale where they do; for others these are
    Shapley values, exact for few columns, else sampled, with standard errors.

    Parameters
    ----------
    estimator : fitted estimator
        Ours or scikit-learn's, also a whole pipeline; columns are those it is given.
    x : mapping, one row of a frame, or vector of p values
        The row; columns a mapping does not name are missing.
    background : table, optional
        Rows to compare with, such as the training rows. None: one typical row (medians, commonest
        categories), where the model remembers enough.
    output : class, optional
        Which class is explained; by default the second of two, and of several the predicted one.
    max_background : int in [1, inf), default=100
        Rows of the background used at most, drawn at random.
    n_samples : int in [1, inf), default=200
        Orders of the columns sampled at least, where values are not exact.
    random_state : int, RandomState, Generator or None, default=0
        Seed.

    Returns
    -------
    RowExplanation
        With `contributions`, `base`, `prediction`, words (`print`) and `plot`.

    References
    ----------
    Štrumbelj & Kononenko (2014), Explaining prediction models and individual predictions with
    feature contributions; Lundberg & Lee (2017), A unified approach to interpreting model
    predictions.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> why = explain_row(LinearRegression().fit(X, y), X.iloc[0], X, max_background=442)
    >>> [round(float(each), 1) for each in (why.base, why.contributions.sum(), why.prediction)]
    [152.1, 54.0, 206.1]
    >>> why.names[why.order[0]]
    's1'
    """
    for name, value in (("max_background", max_background), ("n_samples", n_samples)):
        if not is_integer(value) or value < 1:
            raise InvalidParameterError(
                f"{_OWNER}: {name} must be an integer in [1, inf), got {value!r}."
            )
    seed = seed_of(random_state)
    others, against = _background(estimator, background, int(max_background), seed)
    names = names_of(others, estimator)
    values = values_of(x, names)
    table = row_on_top(values, others, names)
    first = take_rows(table.native, np.array([0]))
    predicted = np.asarray(estimator.predict(first)).reshape(-1)[0]
    label = explained_class(estimator, predicted, output)
    found, scale = _shares(estimator, table, label, int(n_samples), seed)
    return RowExplanation(
        names=tuple(names),
        values=tuple(values.values()),
        contributions=found.values,
        std_errors=found.errors,
        base=found.base,
        prediction=float(scale.answers(first)[0]),
        predicted=predicted.item() if hasattr(predicted, "item") else predicted,
        label=label,
        probabilities=_probabilities(estimator, first),
        scale=scale.name,
        method=found.method,
        against=against,
        notes=unseen_values(estimator, values),
    )


def _shares(
    estimator: Any, table: Columns, label: Any, n_samples: int, seed: int
) -> tuple[Shares, Scale]:
    """What each column adds, on the first scale where the model adds up, or on the last one."""
    first = take_rows(table.native, np.array([0]))
    scales = scales_for(estimator, label, table.native)
    others = take_rows(table.native, np.arange(1, table.n_rows))
    of_trees = tree_shares(estimator, first, others, scales, label)
    if of_trees is not None:
        return of_trees
    for scale in scales:
        hybrid = _hybrid(table, scale)
        with np.errstate(invalid="ignore"):  # rows in between may be certain: infinite odds
            found = shares_of(hybrid, table.n_columns, table.n_rows - 1, n_samples, seed)
        if found.method.startswith("exact: ") and np.isfinite(found.values).all():
            break
    return found, scale


def _background(estimator: Any, given: Any, most: int, seed: int) -> tuple[Columns, str]:
    if given is None:
        typical = typical_rows(estimator)
        return typical, f"a typical row ({_held(typical, estimator)})"
    columns = read_columns(given, owner=_OWNER)
    n = columns.n_rows
    if n <= most:
        return columns, f"the mean of {n:,} rows" if n > 1 else "the other row"
    rows = np.sort(np.random.default_rng(seed).permutation(n)[:most])
    return read_columns(take_rows(columns.native, rows), owner=_OWNER), f"the mean of {most:,} rows"


def _held(typical: Columns, estimator: Any) -> str:
    """What a typical row holds, in words."""
    values = values_of(typical.native, names_of(typical, estimator))
    known = [
        f"{n} {v:.4g}" if isinstance(v, float) else f"{n} {v}"
        for n, v in values.items()
        if v is not None
    ]
    return ", ".join(known[:6]) + (", …" if len(known) > 6 else "") if known else "all missing"


def _hybrid(table: Columns, scale: Scale) -> Hybrid:
    """Answers for rows that have some columns of the first row and the others of another one."""

    def answers(masks: Any, rows: Any) -> Any:
        parts = []
        for start in range(0, len(masks), _AT_ONCE):
            mask, row = masks[start : start + _AT_ONCE], rows[start : start + _AT_ONCE] + 1
            base = read_columns(take_rows(table.native, row), owner=_OWNER)
            mixed = {
                k: picked(table, k, np.where(mask[:, k], 0, row))
                for k in range(table.n_columns)
                if mask[:, k].any()
            }
            parts.append(scale.answers(replaced(base, mixed)))
        return np.concatenate(parts)

    return answers


def _probabilities(estimator: Any, row: Any) -> dict[Any, float]:
    if not is_classifier(estimator) or not hasattr(estimator, "predict_proba"):
        return {}
    shares = np.asarray(estimator.predict_proba(row), dtype=np.float64)[0]
    return dict(zip(np.asarray(estimator.classes_).tolist(), map(float, shares), strict=True))
