"""Common pieces of models as formulas: weighted sums, probabilities from scores, choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.formula.expressions import (
    Answer,
    Case,
    Choice,
    Compare,
    Constant,
    Either,
    Expression,
    Extreme,
    Filled,
    Function,
    Linear,
    Missing,
    Named,
    Product,
    Ratio,
    held,
    is_missing,
    lookup,
    number,
    plain,
    read_like,
)


def weighted(columns: Sequence[Expression], weights: Any, constant: Any = 0.0) -> Expression:
    """Σ wⱼ xⱼ + b, with all columns: a missing value in any is one in the sum."""
    values = tuple(float(weight) for weight in np.asarray(weights).ravel())
    terms = tuple(number(column) for column in columns)
    return Linear(terms, values, float(constant))


def shifted(column: Expression, center: float, divisor: float = 1.0) -> Expression:
    """(x − center) / divisor, in this order: rounding is then that of the scalers."""
    moved = Linear((number(column),), (1.0,), -float(center)) if center else number(column)
    return Ratio(moved, Constant(float(divisor))) if divisor != 1.0 else moved


def clipped(value: Expression, low: float, high: float) -> Expression:
    """The value, at least `low` and at most `high`."""
    least = Extreme(True, (value, Constant(float(low))))
    return Extreme(False, (least, Constant(float(high))))


def square(value: Expression) -> Expression:
    """The product of a value with itself."""
    held = value if isinstance(value, Named) else Named("deviation", value)
    return Product((held, held))


def logistic(z: Expression) -> Expression:
    """1 / (1 + exp(−z)), without overflow on either side."""
    held = z if isinstance(z, Named) else Named("margin", z)
    small = Named("odds", Function("exp", Linear((Function("abs", held),), (-1.0,))))
    share = Linear((small,), (1.0,), 1.0)
    positive = Compare(">=", held, Constant(0.0))
    return Case(((positive, Ratio(Constant(1.0), share)),), Ratio(small, share))


def softmax(scores: Sequence[Expression]) -> tuple[Expression, ...]:
    """exp(sₖ) / Σ exp(sⱼ), relative to the highest score."""
    top = Named("highest", Extreme(True, tuple(scores)))
    odds = [Named("odds", Function("exp", Linear((s, top), (1.0, -1.0)))) for s in scores]
    total = Named("total", Linear(tuple(odds), (1.0,) * len(odds)))
    return tuple(Ratio(each, total) for each in odds)


def classes_by_scores(scores: Sequence[Expression], classes: Any, *, chances: bool) -> Answer:
    """The class of the highest of several scores, and their softmax if asked for."""
    labels = tuple(plain(label) for label in classes)
    held = tuple(each if isinstance(each, Named) else Named("score", each) for each in scores)
    if len(labels) == 1:
        return Answer((Constant(labels[0]),), (Constant(1.0),) if chances else (), labels)
    return Answer((Choice(held, labels),), softmax(held) if chances else (), labels)


def classes_by_margin(margin: Expression, classes: Any, *, chances: bool) -> Answer:
    """The second of two classes where the margin is above 0."""
    labels = tuple(plain(label) for label in classes)
    held = Named("margin", margin)
    prediction = Choice((Constant(0.0), held), labels)
    if not chances:
        return Answer((prediction,), (), labels)
    second = Named("chance", logistic(held))
    first = logistic(Named("margin", Linear((held,), (-1.0,))))
    return Answer((prediction,), (first, second), labels)


def linear_answer(columns: Sequence[Expression], coef: Any, intercept: Any) -> Answer:
    """Xw + b, for each target."""
    weights = coef.toarray() if hasattr(coef, "toarray") else np.asarray(coef)
    weights = np.atleast_2d(weights)
    constants = np.broadcast_to(np.asarray(intercept, dtype=float).ravel(), (len(weights),))
    pairs = zip(weights, constants, strict=True)
    return Answer(tuple(weighted(columns, row, b) for row, b in pairs))


def through_link(answer: Answer, link: str) -> Answer:
    """The means that belong to linear predictors."""
    inverse = {
        "identity": lambda z: z,
        "log": lambda z: Function("exp", Named("predictor", z)),
        "logit": logistic,
    }
    return Answer(tuple(inverse[link](z) for z in answer.predictions))


def one_against_rest(
    answer: Answer, columns: Sequence[Expression], coef: Any, intercept: Any, loss: str
) -> Answer:
    """Chances of each class against the rest, divided by their sum where there are several."""
    margins = [Named("margin", z) for z in linear_answer(columns, coef, intercept).predictions]
    chances = [
        Named("chance", logistic(z) if loss == "log_loss" else clipped(_half(z), 0.0, 1.0))
        for z in margins
    ]
    if len(chances) == 1:
        pair = (Linear((chances[0],), (-1.0,), 1.0), chances[0])
        return Answer(answer.predictions, pair, answer.classes)
    total = Named("total", Linear(tuple(chances), (1.0,) * len(chances)))
    none = Compare("=", total, Constant(0.0))
    even = Constant(1.0 / len(chances))
    shares = tuple(Case(((none, even),), Ratio(each, total)) for each in chances)
    return Answer(answer.predictions, shares, answer.classes)


def _half(z: Expression) -> Expression:
    return Linear((z,), (0.5,), 0.5)


def normal_score(
    columns: Sequence[Expression],
    mean: Any,
    spread: Any,
    bias: float,
    log_det: float | None = None,
) -> Expression:
    """The log density of a normal distribution, up to a constant all classes share.

    `spread` has the reciprocals of the standard deviations, or L⁻¹ of the covariance LLᵀ.
    """
    spread = np.asarray(spread)
    if log_det is None:
        bias = float(bias) + float(np.log(spread).sum())
    moved = [shifted(x, m) for x, m in zip(columns, mean, strict=True)]
    if spread.ndim == 1:
        squares = [square(each) for each in moved]
        return Linear(tuple(squares), tuple(-0.5 * float(s) ** 2 for s in spread), float(bias))
    held = [Named("deviation", each) for each in moved]
    squares = []
    for row in spread:
        used = [j for j, weight in enumerate(row) if weight]
        squares.append(square(weighted([held[j] for j in used], row[used])))
    return Linear(tuple(squares), (-0.5,) * len(squares), float(bias))


def above(column: Expression, threshold: float) -> Expression:
    """1 above the threshold, else 0; missing where the value is."""
    value = number(column)
    known = Compare(">", value, Constant(threshold))
    return Case(((Missing(value), Constant(None)), (known, Constant(1.0))), Constant(0.0))


def added(parts: Sequence[Expression]) -> Expression:
    """The sum."""
    constant = sum(float(each.value or 0.0) for each in parts if isinstance(each, Constant))
    terms = tuple(each for each in parts if not isinstance(each, Constant))
    return Linear(terms, (1.0,) * len(terms), constant)


def scaled(columns: Sequence[Expression], center: Any, divisor: Any) -> list[Expression]:
    """(xⱼ − centerⱼ) / divisorⱼ; None for no centre or no divisor."""
    count = len(columns)
    centers = np.zeros(count) if center is None else center
    divisors = np.ones(count) if divisor is None else divisor
    return [
        shifted(x, float(c), float(d)) for x, c, d in zip(columns, centers, divisors, strict=True)
    ]


def indicators(
    column: Expression, known: Any, places: Any, width: int, *, unknown: int | None = None
) -> list[Expression]:
    """A column of zeros and ones for each place; `places` has that of each known value.

    `unknown` is the place of other values, -1 for none of them; None if there must be none.
    """
    made = []
    for place in range(width):
        pairs = [(key, 1.0 if at == place else 0.0) for key, at in zip(known, places, strict=True)]
        other = None if unknown is None else float(unknown == place)
        if other == 0.0:  # only those that are 1 need to be told apart
            ordinary = [pair for pair in pairs if not is_missing(pair[0])]
            ones = [pair for pair in ordinary if pair[1]]  # one at least tells the column's kind
            pairs = (ones or ordinary[:1]) + [pair for pair in pairs if is_missing(pair[0])]
        made.append(lookup(column, pairs, default=other, missing=other))
    return made


def bin_number(column: Expression, edges: Any) -> Expression:
    """How many of the edges are at most the value; missing where it is."""
    value = number(column)
    branches: list[tuple[Expression, Expression]] = [(Missing(value), Constant(None))]
    for k, edge in enumerate(edges):
        branches.append((Compare("<", value, Constant(float(edge))), Constant(float(k))))
    return Named("bin", Case(tuple(branches), Constant(float(len(edges)))))


def filled(column: Expression, value: Any) -> Expression:
    """The value of a column, or this one where it is missing."""
    fill = plain(value)
    return Filled(read_like(column, fill), fill if isinstance(fill, str) else float(fill))


def marked_missing(column: Expression) -> Expression:
    """1 where a value is missing, else 0."""
    value = number(column)
    return Case(((Missing(value), Constant(1.0)),), Constant(0.0))


def none_of(columns: Sequence[Expression], made: Sequence[Expression]) -> list[Expression]:
    """What was made, missing where one of some columns is."""
    if not columns:
        return list(made)
    gone = Named("refused", Case(((_any_missing(columns), Constant(1.0)),), Constant(0.0)))
    refused = Compare("=", gone, Constant(1.0))
    return [Case(((refused, Constant(None)),), each) for each in made]


def _any_missing(columns: Sequence[Expression]) -> Expression:
    return Either(tuple(Missing(number(column)) for column in columns))


def both_or(
    first: Expression, second: Expression, instead: float, of_second: float
) -> tuple[Expression, Expression]:
    """Two numbers, or two others where one of them is missing."""
    a, b = number(first), number(second)
    gone = Either((Missing(a), Missing(b)))
    return (
        Case(((gone, Constant(float(instead))),), a),
        Case(((gone, Constant(float(of_second))),), b),
    )


def divided_by_norm(columns: Sequence[Expression], norm: str) -> list[Expression]:
    """Each number of a row divided by the row's norm; rows of zeros stay as they are."""
    values = [held(column) for column in columns]
    if norm == "l2":
        length: Expression = Function("sqrt", added([square(each) for each in values]))
    else:
        sizes = tuple(Function("abs", each) for each in values)
        length = Extreme(True, sizes) if norm == "max" and len(sizes) > 1 else added(sizes)
    size = Named("norm", length)
    divisor = Named("norm", Case(((Compare("=", size, Constant(0.0)), Constant(1.0)),), size))
    return [Ratio(each, divisor) for each in values]
