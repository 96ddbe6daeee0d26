"""Coefficients of the final model with intervals, and the model as a formula."""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import clone
from stylobate.exceptions import StylobateError
from stylobate.formula.linear_text import in_own_units
from stylobate.study.question.question import Asked
from stylobate.study.results import Coefficient
from stylobate.study.search.whole_model import WholeModel

_DRAWS, _FEWEST = 200, 40  # resamples of the rows, and how many an interval needs
_MOST_WORK = 4e9  # rows × columns × (columns, up to 100) of all resamples: some seconds
_TERMS = 8  # of the formula
_WIDEST = 500  # columns up to which there are intervals; of more, as many coefficients are told
_NOTE = (
    "Numbers are scaled, (x − mean) / standard deviation, so a coefficient is what one standard "
    "deviation of a column changes. Of a column with two values it is what the named one changes "
    "against the other; of one with more categories, what each changes against their middle."
)


def coefficients_of(
    fitted: WholeModel, asked: Asked, y: NDArray[Any], seed: int, refits: int = _DRAWS
) -> tuple[tuple[Coefficient, ...], str]:
    """The coefficients, the largest first, and a note on how to read them; none for other models.

    Intervals are those of the fit where it has valid ones, else the spread of refits to rows drawn
    with replacement, about the coefficient; as many refits as there is time for.
    """
    found = _oriented(fitted.model, asked)
    if found is None:
        return (), ""
    low, high, p, how = _intervals(fitted, asked, y, found, seed, refits)
    listed = []
    for k in range(found.shape[0]):
        said = None if found.shape[0] == 1 else str(fitted.model.classes_[k])
        for j, name in enumerate(fitted.names):
            ends = (None, None) if low is None or high is None else (low[k, j], high[k, j])
            listed.append(
                Coefficient(
                    name, float(found[k, j]), _number(ends[0]), _number(ends[1]),
                    None if p is None else _number(p[j]), said,
                )
            )  # fmt: skip
    listed.sort(key=lambda each: -abs(each.value))
    if found.shape[1] > _WIDEST:
        how = f"The {_WIDEST} largest of {found.size:,} coefficients are listed."
        listed = listed[:_WIDEST]
    scaled = bool(getattr(fitted.pipeline.steps[0][1], "scale", False))
    return tuple(listed), f"{_NOTE if scaled else ''} {how}".strip()


def formula_of(fitted: WholeModel, asked: Asked) -> str | None:
    """The model as a sum in the units of the table, what matters most first; None if it is none."""
    found = _oriented(fitted.model, asked)
    if found is None or found.shape[0] > 1:
        return None
    intercept = np.ravel(getattr(fitted.model, "intercept_", 0.0))[:1].astype(np.float64)
    if _flipped(fitted.model, asked):
        intercept = -intercept
    order = np.argsort(-np.abs(found[0]), kind="stable")
    order = order[found[0][order] != 0.0]
    (row,), (constant,) = in_own_units(fitted.pipeline.steps[0][1], found, intercept)
    terms = [f"{constant:.3g}"]
    for j in order[:_TERMS]:
        sign = "−" if row[j] < 0 else "+"
        terms.append(f"{sign} {abs(row[j]):.3g}·{fitted.names[j]}")
    if len(order) > _TERMS:
        terms.append(f"+ {len(order) - _TERMS} smaller terms")
    question = asked.question
    left = question.target
    if question.task == "binary":
        what = "log-odds" if hasattr(fitted.model, "predict_proba") else "score"
        left = f"{what} of ({question.target} = {question.positive})"
    return f"{left} = {' '.join(terms)}"


def seconds_of_refit(fitted: WholeModel, asked: Asked, y: NDArray[Any]) -> float:
    """What a fit of the model by itself takes; 0 for models that would not be refitted."""
    if not isinstance(fitted.x, np.ndarray) or not hasattr(fitted.model, "coef_"):
        return 0.0
    target = asked.labelled(y.astype(np.intp)) if len(asked.labels) else y
    started = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clone(fitted.model).fit(fitted.x, target)
    return perf_counter() - started


def _oriented(model: Any, asked: Asked) -> Array | None:
    """Coefficients (classes × columns); of two classes those that speak for the positive one."""
    coef = getattr(model, "coef_", None)
    if coef is None or not hasattr(model, "intercept_"):
        return None
    rows = np.atleast_2d(np.asarray(coef, dtype=np.float64))
    return -rows if _flipped(model, asked) else rows


def _flipped(model: Any, asked: Asked) -> bool:
    classes: Any = getattr(model, "classes_", ())
    if len(classes) != 2 or asked.question.task != "binary":
        return False
    return str(classes[1]) != asked.question.positive


def _intervals(
    fitted: WholeModel, asked: Asked, y: NDArray[Any], found: Array, seed: int, refits: int
) -> tuple[Array | None, Array | None, Array | None, str]:
    if found.shape[1] > _WIDEST:
        return None, None, None, ""
    own = _own(fitted, found)
    if own is not None:
        low, high, p = own
        return low, high, p, "Intervals are 95 % confidence intervals."
    draws = _resampled(fitted, asked, y, found.shape, seed, refits)
    if len(draws) < _FEWEST:
        return None, None, None, ""
    stacked = np.stack(draws)
    # refits to repeated rows lean to one side (discriminants: away from zero); only their spread
    # tells how sure a coefficient is
    middle = np.median(stacked, axis=0)
    low, high = (found + np.quantile(stacked, end, axis=0) - middle for end in (0.025, 0.975))
    how = (
        f"Intervals are as wide as the middle 95 % of {len(draws)} refits to resampled rows, and "
        "lie about the coefficient."
    )
    return low, high, None, how


def _own(fitted: WholeModel, found: Array) -> tuple[Array, Array, Array] | None:
    """Intervals the fit itself gives, where they are valid."""
    summary: Any = getattr(fitted.model, "summary", None)
    if summary is None or found.shape[0] > 1:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            told = summary().coefficients
            ends = (told.ci_low, told.ci_high, told.p)
            low, high, p = (np.asarray(each)[-found.shape[1] :] for each in ends)
        except (StylobateError, TypeError, ValueError, AttributeError):
            return None
    if len(low) != found.shape[1] or not np.isfinite(low).any():
        return None
    return low[None, :], high[None, :], p


def _resampled(
    fitted: WholeModel,
    asked: Asked,
    y: NDArray[Any],
    shape: tuple[int, ...],
    seed: int,
    refits: int,
) -> list[Array]:
    """Coefficients of refits to rows drawn with replacement; none where that takes long.

    How many there are depends on the table and on recorded times, never on the clock: a study that
    goes on gives the same intervals.
    """
    if not isinstance(fitted.x, np.ndarray):
        return []
    n_rows, n_columns = fitted.x.shape
    count = min(
        _DRAWS, refits, int(_MOST_WORK / (n_rows * n_columns * min(max(n_columns, 10), 100)))
    )
    if count < _FEWEST:
        return []
    target = asked.labelled(y.astype(np.intp)) if len(asked.labels) else y
    draw = np.random.default_rng(seed)
    found: list[Array] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(count):
            rows = draw.integers(0, len(y), len(y))
            try:
                twin = clone(fitted.model).fit(fitted.x[rows], target[rows])
            except StylobateError:  # a resample may lack a class
                continue
            coef = _oriented(twin, asked)
            if coef is not None and coef.shape == shape:
                found.append(coef)
    return found


def _number(value: Any) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)
