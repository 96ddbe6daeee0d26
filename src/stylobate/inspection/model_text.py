"""A fitted model in words: what it takes, its formula, its weights, what it proves of itself."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

WIDTH = 100
_MOST = 20  # weights shown


def model_text(estimator: Any, *, target: str = "y", kinds: Mapping[str, str] | None = None) -> str:
    r"""What a fitted model is, as paragraphs of at most 100 columns.

    Parameters
    ----------
    estimator : fitted estimator
        Also a pipeline, of which the last step is looked at.
    target : str, default="y"
        What it predicts.
    kinds : mapping of str to str, optional
        What its columns are.

    Returns
    -------
    str

    Examples
    --------
    >>> from stylobate.linear_model import Ridge
    >>> model = Ridge(alpha=1.0).fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 4.0])
    >>> print(model_text(model, target="price").split("\n\n")[0])
    Ridge predicts price, a number, from 1 column: x0.
    """
    last, names = last_step(estimator)
    parts = [
        _head(estimator, last, target, kinds or {}),
        _steps(estimator),
        _formula(estimator, target),
        _weights(last, names, _scaled(estimator)),
        _certificate(last),
    ]
    return "\n\n".join(part for part in parts if part)


def last_step(estimator: Any) -> tuple[Any, list[str] | None]:
    """The model at the end of searches and pipelines, and the names of the columns it is given."""
    for inner in ("best_estimator_", "estimator_"):
        found = vars(estimator).get(inner)
        if found is not None and hasattr(found, "predict"):
            return last_step(found)
    steps = getattr(estimator, "steps", None)
    if not steps:
        seen = getattr(estimator, "feature_names_in_", None)
        return estimator, None if seen is None else [str(name) for name in seen]
    names = None
    if len(steps) > 1:
        try:
            names = [str(name) for name in estimator[:-1].get_feature_names_out()]
        except (AttributeError, ValueError):  # a step that does not name its columns
            names = None
    return steps[-1][1], names


def _head(estimator: Any, last: Any, target: str, kinds: Mapping[str, str]) -> str:
    seen = getattr(estimator, "feature_names_in_", None)
    count = int(getattr(estimator, "n_features_in_", 0))
    names = [f"x{k}" for k in range(count)] if seen is None else [str(name) for name in seen]
    told = [f"{name} ({kinds[name]})" if name in kinds else name for name in names[:30]]
    more = ", …" if len(names) > 30 else ""
    columns = f"{len(names)} column" + ("s" if len(names) != 1 else "")
    classes = getattr(estimator, "classes_", None)
    kind = "a number"
    if classes is not None and not isinstance(classes, list):
        labels = [str(label) for label in np.asarray(classes).tolist()]
        shown = ", ".join(labels[:8]) + (", …" if len(labels) > 8 else "")
        kind = f"one of {len(labels)} classes ({shown})"
    text = (
        f"{type(last).__name__} predicts {target}, {kind}, from {columns}: {', '.join(told)}{more}."
    )
    return _wrapped(text)


def _steps(estimator: Any) -> str:
    steps = getattr(estimator, "steps", None)
    if not steps or len(steps) < 2:
        return _wrapped(f"Settings: {' '.join(repr(estimator).split())}")
    return "\n".join(
        _wrapped(f"Step {k}, {name}: {' '.join(repr(step).split())}")
        for k, (name, step) in enumerate(steps, start=1)
    )


def _formula(estimator: Any, target: str) -> str:
    from stylobate.exceptions import FormulaError
    from stylobate.formula import formula_text

    try:
        return "\n".join(map(_wrapped, formula_text(estimator, target=target).splitlines()))
    except (FormulaError, AttributeError, ValueError, TypeError):
        return ""  # a model that is no sum


def _scaled(estimator: Any) -> bool:
    """Whether the last step sees standardised numbers, not those of the formula."""
    steps: Any = getattr(estimator, "steps", None) or ()
    units = getattr(steps[0][1], "_units", None) if len(steps) == 2 else None
    return units is not None and bool((units()[1] != 1.0).any())


def _weights(last: Any, names: list[str] | None, scaled: bool) -> str:
    """Coefficients or importances, the largest first."""
    coefficients = getattr(last, "coef_", None)
    if coefficients is not None:
        title = "Coefficients" + " (of numbers standardised: (x − mean)/sd)" * scaled
        return _table(title, coefficients, names, getattr(last, "classes_", None))
    importances = getattr(last, "feature_importances_", None)
    return "" if importances is None else _table("Importances", importances, names, None)


def _table(title: str, values: Any, names: list[str] | None, classes: Any) -> str:
    dense = values.toarray() if hasattr(values, "toarray") else np.asarray(values, dtype=np.float64)
    matrix = np.atleast_2d(dense)
    labels = names if names is not None else [f"x{k}" for k in range(matrix.shape[1])]
    order = np.argsort(-np.abs(matrix).max(axis=0), kind="stable")
    shown = order[:_MOST]
    wide = max(len(str(labels[k])) for k in shown)
    head = []
    if len(matrix) > 1 and classes is not None and len(classes) == len(matrix):
        heads = "".join(f"  {str(label)[:12]:>12}" for label in np.asarray(classes).tolist()[:6])
        head = [" " * (wide + 2) + heads]
    lines = [
        f"  {labels[k]:<{wide}}" + "".join(f"  {value:>12.5g}" for value in matrix[:6, k])
        for k in shown
    ]
    rest = len(order) - len(shown)
    more = [f"  … and {rest} more"] if rest else []
    return "\n".join([title, *head, *lines, *more])


def _certificate(last: Any) -> str:
    found = getattr(last, "certificate_", None)
    lines = [] if found is None else [_wrapped(line) for line in str(found).splitlines()]
    solver, why = getattr(last, "solver_", None), getattr(last, "solver_reason_", None)
    if solver is not None:
        lines.append(_wrapped(f"Solver: {solver}." + (f" Why: {why}." if why else "")))
    if not lines:
        lines = ["No certificate: the fit of this kind of model is not one convex problem."]
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
