"""The statistical view of a logistic regression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base import class_weights
from stylobate.base.validation import input_names
from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    from stylobate.inference import GLMSummary


def summarize_logistic(model: Any, **options: Any) -> GLMSummary:
    """The summary of a fitted `LogisticRegression` (see `stylobate.inference.summarize_glm`)."""
    from stylobate.inference.glm.summary import summarize_glm

    return summarize_glm(glm_fit_of(model), **options)


def rows_of(model: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """The rows of the fit as inference reads them: X, class numbers and weights."""
    owner = type(model).__name__
    table = model._read(X, None, sample_weight, reset=False)
    labels, numbers = read_labels(y, owner=owner, n_rows=table.n_rows)
    unknown = ~np.isin(labels, model.classes_)
    if unknown.any():
        raise InvalidDataError(
            f"{owner}.summary: y holds {labels[unknown][0]!r}, which is not among the classes of "
            f"the fit, {model.classes_.tolist()!r}; pass the data of the fit itself."
        )
    codes = np.searchsorted(model.classes_, labels)[numbers]
    weights = table.weights
    if model.class_weight is not None:
        factors = class_weights(
            model.class_weight, model.classes_, codes, owner=owner, sample_weight=weights
        )
        weights = factors[codes] if weights is None else weights * factors[codes]
    return table.x, codes.astype(np.float64), weights


def glm_fit_of(model: Any) -> Any:
    """What inference needs: coefficients against the first class, information, deviances."""
    from stylobate.inference.glm.fit import fit_from_information
    from stylobate.optimize.glm import BINOMIAL

    facts, two = model._facts, len(model.classes_) == 2
    names = [str(name) for name in input_names(model)]
    coef = np.asarray(model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_)
    intercept = np.asarray(model.intercept_, dtype=np.float64)
    if not two:
        coef, intercept = coef[1:] - coef[0], intercept[1:] - intercept[0]
    c, q = len(coef), coef.shape[1] + model.fit_intercept
    if facts.information is None and not facts.penalised:
        raise InvalidDataError(
            f"{type(model).__name__}.summary: {c * q} parameters are too many for standard errors "
            "to be prepared during fit; at most 1000 are."
        )
    penalised = facts.penalised
    information = np.eye(c * q) if penalised else facts.information.matrix
    total = facts.class_totals
    separation = model.separation_
    return fit_from_information(
        BINOMIAL if two else None,
        coef=coef,
        intercept=intercept,
        information=information,
        center=None if penalised else facts.information.center,
        n_rows=facts.n_rows,
        weight_sum=float(total.sum()),
        deviance=2.0 * facts.loss,
        null_deviance=_null_deviance(total, model.fit_intercept),
        has_intercept=model.fit_intercept,
        names=names,
        equations=None if two else [str(label) for label in model.classes_[1:]],
        reference=None if two else str(model.classes_[0]),
        penalised=penalised,
        separation=None if separation is None else separation.words(names) + ".",
        certificate=model.certificate_,
    )


def _null_deviance(totals: Any, fit_intercept: bool) -> float:
    """Of the model without columns: the classes' shares, or equal ones without an intercept."""
    whole = float(totals.sum())
    if not fit_intercept:
        return 2.0 * whole * float(np.log(len(totals)))
    return -2.0 * float(totals @ np.log(totals / whole))
