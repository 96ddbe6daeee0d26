"""What a column adds to the score of each class, as formulas."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.data.kinds import Column
from stylobate.data.kinds.spellings import COMMA, WORDS, missing_texts, number_pattern
from stylobate.exceptions import FormulaError
from stylobate.naive_bayes.feature_models import Categorical, Gaussian, Multinomial, Poisson

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_NEVER = -1e300  # stands for log 0


def contributions(feature: Any, column: Expression, known: Column) -> list[Expression]:
    """Log p(xⱼ | c) for every class, up to what all classes share; 0 where nothing is observed."""
    if isinstance(feature, Categorical):
        return _of_categories(feature, column, known)
    if known.notation:
        from stylobate.formula.expressions import Named, amount

        comma = known.notation == COMMA
        read = amount(column, number_pattern(known.notation), comma=comma)
        column = Named("amount", read)
    if isinstance(feature, Gaussian):
        return _of_normal(feature, column)
    if isinstance(feature, Poisson | Multinomial):
        return _of_counts(feature, column)
    raise FormulaError(
        f"NaiveBayes: the kernel density of column {known.name!r} has no formula in SQL or ONNX."
    )


def _of_categories(feature: Categorical, column: Expression, known: Column) -> list[Expression]:
    from stylobate.formula.expressions import Column as Input
    from stylobate.formula.expressions import lookup

    texts = any(isinstance(each, str) for each in feature.categories)
    if texts and isinstance(column, Input):
        exact = known.missing != WORDS
        column = replace(column, absent=missing_texts(known.missing), exact=exact, trims=False)
    rows = np.maximum(feature.log_share, _NEVER)
    return [
        lookup(
            column,
            list(zip(feature.categories, map(float, row), strict=True)),
            default=0.0,
            missing=0.0,
        )
        for row in rows
    ]


def _of_normal(feature: Gaussian, column: Expression) -> list[Expression]:
    from stylobate.formula.expressions import Linear
    from stylobate.formula.pieces import shifted, square

    made: list[Expression] = []
    for mean, variance in zip(feature.mean, feature.variance, strict=True):
        squared = square(shifted(column, float(mean)))
        score = Linear((squared,), (-0.5 / float(variance),), -0.5 * float(np.log(variance)))
        made.append(_where_known(column, score))
    return made


def _of_counts(feature: Poisson | Multinomial, column: Expression) -> list[Expression]:
    from stylobate.formula.pieces import weighted

    if isinstance(feature, Multinomial):
        slopes, starts = np.maximum(feature.log_share, _NEVER), np.zeros(len(feature.log_share))
    else:  # log x! is the same for every class
        slopes, starts = np.log(feature.rate), -feature.rate
    return [
        _where_known(column, weighted([column], [slope], start))
        for slope, start in zip(slopes, starts, strict=True)
    ]


def _where_known(column: Expression, score: Expression) -> Expression:
    from stylobate.formula.expressions import Case, Constant, Missing, number

    return Case(((Missing(number(column)), Constant(0.0)),), score)
