"""Several models as one formula: votes, means, medians."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from sys import float_info
from typing import Any

import numpy as np

from stylobate.exceptions import FormulaError
from stylobate.formula.expressions import (
    Answer,
    Case,
    Choice,
    Compare,
    Constant,
    Expression,
    Extreme,
    Linear,
    Named,
    lookup,
    plain,
)


def relabelled(prediction: Expression, names: Mapping[Any, Any]) -> Expression:
    """A prediction with other labels."""
    if isinstance(prediction, Named):
        return relabelled(prediction.of, names)
    if isinstance(prediction, Constant):
        return Constant(names[prediction.value])
    if isinstance(prediction, Choice):
        return replace(prediction, labels=tuple(names[each] for each in prediction.labels))
    if isinstance(prediction, Case):
        branches = tuple((when, relabelled(value, names)) for when, value in prediction.branches)
        return Case(branches, relabelled(prediction.otherwise, names))
    raise FormulaError("A model of classes whose labels are computed has no formula here.")


def votes(answer: Answer, classes: Any) -> list[Expression]:
    """For each class 1 if it is the one predicted, else 0; missing where the prediction is."""
    labels = [plain(label) for label in classes]
    numbers = {label: float(k) for k, label in enumerate(labels)}
    held = Named("choice", relabelled(answer.predictions[0], numbers))
    return [
        lookup(held, [(float(j), float(j == k)) for j in range(len(labels))])
        for k in range(len(labels))
    ]


def chances_or_votes(answer: Answer, classes: Any) -> list[Expression]:
    """The probability of each class, 0 for one the model does not know; its vote if it has none."""
    if not answer.probabilities:
        return votes(answer, classes)
    found = dict(zip(answer.classes, answer.probabilities, strict=True))
    return [found.get(plain(label), Constant(0.0)) for label in classes]


def average(parts: Sequence[Expression], weights: Any = None) -> Expression:
    """Σ w x / Σ w."""
    given = np.ones(len(parts)) if weights is None else np.asarray(weights, dtype=np.float64)
    shares = given / given.sum()
    pairs = [(each, float(w)) for each, w in zip(parts, shares, strict=True)]
    constant = sum(w * float(each.value or 0.0) for each, w in pairs if isinstance(each, Constant))
    varying = [(each, w) for each, w in pairs if not isinstance(each, Constant)]
    if not varying:
        return Constant(constant)
    return Linear(tuple(e for e, _ in varying), tuple(w for _, w in varying), constant)


def mean_of_classes(
    answers: Sequence[Answer], known: Any, labels: Any, weights: Any = None
) -> Answer:
    """The mean probability of each class, and the class of the highest.

    Parameters
    ----------
    answers : sequence of Answer
        Of the members.
    known : array
        The classes as members call them.
    labels : array
        What they are called in the answer.
    weights : sequence of float, default=None
        Of the members.
    """
    each = [chances_or_votes(answer, known) for answer in answers]
    means = tuple(Named("chance", average(parts, weights)) for parts in zip(*each, strict=True))
    shown = tuple(plain(label) for label in labels)
    if len(shown) == 1:
        return Answer((Constant(shown[0]),), (Constant(1.0),), shown)
    return Answer((Choice(means, shown),), means, shown)


def majority(answers: Sequence[Answer], known: Any, labels: Any, weights: Any) -> Answer:
    """The class with the most votes, the first of equals."""
    shown = tuple(plain(label) for label in labels)
    if len(shown) == 1:
        return Answer((Constant(shown[0]),), (), shown)
    each = [votes(answer, known) for answer in answers]
    given = (1.0,) * len(each) if weights is None else tuple(float(w) for w in weights)
    counts = tuple(Named("votes", Linear(parts, given)) for parts in zip(*each, strict=True))
    return Answer((Choice(counts, shown),), (), shown)


def mean_of_numbers(answers: Sequence[Answer], weights: Any = None) -> Answer:
    """The weighted mean of predictions, for each target."""
    columns = zip(*(answer.predictions for answer in answers), strict=True)
    return Answer(tuple(average(parts, weights) for parts in columns))


def taken_back(answer: Answer, transformer: Any) -> Answer:
    """Predictions of a changed target, in the units of the target itself."""
    if hasattr(transformer, "_inverse_formula"):
        return Answer(tuple(transformer._inverse_formula(list(answer.predictions))))
    if not hasattr(transformer, "_units"):
        raise FormulaError(
            f"What {type(transformer).__name__} did to the target is not taken back by a formula; "
            "functions such as numpy.log and numpy.exp, a StandardScaler and a RobustScaler are."
        )
    triples = zip(answer.predictions, *transformer._units(), strict=True)
    return Answer(tuple(Linear((x,), (float(s),), float(m)) for x, m, s in triples))


def weighted_median(values: Sequence[Expression], weights: Sequence[float]) -> Expression:
    """The smallest value up to which half of the weight lies."""
    held = [Named("value", each) for each in values]
    half = 0.5 * float(np.sum(weights))
    slack = half * (1.0 - 1e-12)  # sums in another order differ in their last digits
    reached = []
    for value in held:
        below = tuple(
            Case(((Compare("<=", each, value), Constant(float(w))),), Constant(0.0))
            for each, w in zip(held, weights, strict=True)
        )
        mass = Linear(below, (1.0,) * len(below))
        enough = Compare(">=", mass, Constant(slack))
        reached.append(Named("reached", Case(((enough, value),), Constant(float_info.max))))
    return Extreme(False, tuple(reached))


def said(answer: Answer, method: str, member: Any) -> list[Expression]:
    """What a member of a stack says of a row, by the method it is asked."""
    if method == "predict_proba":
        return list(answer.probabilities)
    prediction = answer.predictions[0]
    if method == "decision_function":
        last = member.steps[-1][1] if hasattr(member, "steps") else member
        if not hasattr(last, "coef_") or not isinstance(prediction, Choice):
            raise FormulaError(
                f"The margins of {type(last).__name__} have no formula in SQL or ONNX; stack its "
                "probabilities or predictions."
            )
        return list(prediction.scores[-1:] if len(prediction.scores) == 2 else prediction.scores)
    if not answer.classes:
        return list(answer.predictions)
    if not all(isinstance(label, int | float) for label in answer.classes):
        raise FormulaError("Labels that are texts have no formula as columns of a stack.")
    return [relabelled(prediction, {label: float(label) for label in answer.classes})]
