"""Formulas for people: a fitted linear model as one readable line per target or class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import FormulaError

_MOST_TERMS = 30


def formula_text(
    estimator: Any,
    features: Sequence[str] | None = None,
    *,
    target: str = "y",
    digits: int = 4,
) -> str:
    """A linear model as text, with its 30 largest terms.

    Parameters
    ----------
    estimator : estimator
        Fitted, with ``coef_`` and ``intercept_``; of a pipeline, the last step is shown, in the
        units of the table where the one step before it is a `TableEncoder` or a scaler that
        centres and divides.
    features : sequence of str, default=None
        Names of the columns; those of the fit if None.
    target : str, default="y"
        What is predicted.
    digits : int >= 1, default=4
        Significant digits.

    Returns
    -------
    str

    Examples
    --------
    >>> from stylobate.linear_model import LinearRegression
    >>> model = LinearRegression().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0]], [1.0, 3.5, 4.0])
    >>> formula_text(model, ["age", "height"], target="price")
    'price = 1.5 + 2·age − 0.5·height'
    """
    steps = getattr(estimator, "steps", None)
    if steps:
        names = list(estimator[:-1].get_feature_names_out()) if len(steps) > 1 else None
        before = steps[0][1] if len(steps) == 2 else None
        return _written(steps[-1][1], before, features or names, target, digits)
    return _written(estimator, None, features, target, digits)


def in_own_units(scaler: Any, weights: Array, constants: Array) -> tuple[Array, Array]:
    """Weights and constants for columns as they were before a step standardised them.

    Σ wⱼ (xⱼ − mⱼ)/sⱼ + c is Σ (wⱼ/sⱼ) xⱼ + (c − Σ wⱼ mⱼ/sⱼ). Steps that do not say what they
    subtract and divide by leave both as they are.
    """
    if not hasattr(scaler, "_units"):
        return weights, constants
    shifts, spreads = scaler._units()
    own = weights / spreads
    return own, constants - own @ shifts


def _written(
    estimator: Any, before: Any, features: Sequence[str] | None, target: str, digits: int
) -> str:
    if not hasattr(estimator, "coef_"):
        raise FormulaError(
            f"formula_text: {type(estimator).__name__} has no coefficients to write down."
        )
    coef = estimator.coef_
    weights = np.atleast_2d(coef.toarray() if hasattr(coef, "toarray") else coef)
    constants = np.broadcast_to(np.ravel(np.asarray(estimator.intercept_)), (len(weights),))
    weights, constants = in_own_units(before, weights, constants)
    names = _names(estimator, features, weights.shape[1])
    sides = _left_sides(estimator, target, len(weights))
    lines = [
        f"{side} = {_sum(names, row, constant, digits)}"
        for side, row, constant in zip(sides, weights, constants, strict=True)
    ]
    return "\n".join(lines)


def _names(estimator: Any, features: Sequence[str] | None, count: int) -> list[str]:
    known = features if features is not None else getattr(estimator, "feature_names_in_", None)
    return [f"x{j}" for j in range(count)] if known is None else [str(name) for name in known]


def _left_sides(estimator: Any, target: str, count: int) -> list[str]:
    """What the sums are: the target, its link, or the score of a class."""
    classes = getattr(estimator, "classes_", None)
    if classes is not None:
        if count == 1:
            label = np.asarray(classes).tolist()[-1]
            odds = hasattr(estimator, "predict_proba")
            return [f"log odds of {target} = {label}" if odds else f"margin of {target} = {label}"]
        return [f"score of {target} = {label}" for label in np.asarray(classes).tolist()]
    family = getattr(estimator, "_family", None)
    link = getattr(family, "link", "identity")
    left = target if link == "identity" else f"{link}({target})"
    return [left] if count == 1 else [f"{left}[{t}]" for t in range(count)]


def _sum(names: list[str], weights: Any, constant: float, digits: int) -> str:
    text = f"{constant:.{digits}g}"
    used = [j for j in range(len(names)) if weights[j]]
    shown = sorted(sorted(used, key=lambda j: -abs(weights[j]))[:_MOST_TERMS])
    for j in shown:
        sign = "−" if weights[j] < 0 else "+"
        text += f" {sign} {abs(weights[j]):.{digits}g}·{names[j]}"
    left = len(used) - len(shown)
    return text + (f" + {left} smaller terms" if left else "")
