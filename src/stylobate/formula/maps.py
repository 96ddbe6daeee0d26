"""Maps of rows as formulas: Gaussian functions of centres, random waves, the nearest centre."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.formula.expressions import (
    Answer,
    Choice,
    Expression,
    Function,
    Linear,
    Named,
    held,
    plain,
)
from stylobate.formula.pieces import added, shifted, softmax, square, weighted


def squared_distance(columns: Sequence[Expression], centre: Any) -> Expression:
    """‖x − c‖²."""
    pairs = zip(columns, np.asarray(centre, dtype=np.float64), strict=True)
    return added([square(shifted(x, float(c))) for x, c in pairs])


def gaussian_functions(
    columns: Sequence[Expression], centres: Any, rate: float
) -> list[Expression]:
    """exp(−rate ‖x − c‖²) for each centre."""
    inputs = [held(column) for column in columns]
    return [
        Named("gaussian", Function("exp", Linear((squared_distance(inputs, c),), (-float(rate),))))
        for c in np.asarray(centres)
    ]


def waves(columns: Sequence[Expression], weights: Any, offsets: Any) -> list[Expression]:
    """√(2/m) cos(wᵀx + b) for each of m columns of weights."""
    inputs, height = [held(column) for column in columns], float((2.0 / len(offsets)) ** 0.5)
    pairs = zip(np.asarray(weights).T, offsets, strict=True)
    return [Linear((Function("cos", weighted(inputs, w, b)),), (height,)) for w, b in pairs]


def nearest_centre(
    columns: Sequence[Expression], centres: Any, classes: Any, *, manhattan: bool = False
) -> Expression:
    """The class of the nearest centre, the first of equals."""
    inputs, scores = [held(column) for column in columns], []
    for centre in np.asarray(centres, dtype=np.float64):
        away = [shifted(x, float(c)) for x, c in zip(inputs, centre, strict=True)]
        parts = [Function("abs", each) if manhattan else square(each) for each in away]
        scores.append(Named("score", Linear(tuple(parts), (-1.0,) * len(parts))))
    return Choice(tuple(scores), tuple(plain(label) for label in classes))


def centres_by_chance(
    columns: Sequence[Expression], centres: Any, spreads: Any, bias: Any, classes: Any
) -> Answer:
    """The class of the highest −‖(x − c) / s‖² + bias, and the softmax of these."""
    inputs, scores = [held(column) for column in columns], []
    for centre, constant in zip(np.asarray(centres, dtype=np.float64), bias, strict=True):
        triples = zip(inputs, centre, spreads, strict=True)
        parts = tuple(square(shifted(x, float(c), float(s))) for x, c, s in triples)
        scores.append(Named("score", Linear(parts, (-1.0,) * len(parts), float(constant))))
    labels = tuple(plain(label) for label in classes)
    return Answer((Choice(tuple(scores), labels),), softmax(scores), labels)
