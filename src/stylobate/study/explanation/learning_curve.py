"""The learning curve of the chosen model: would more rows help?"""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import Any

import numpy as np

from stylobate.exceptions import StylobateError
from stylobate.model_selection.curves.curves import learning_curve
from stylobate.model_selection.curves.learning_curve import LearningCurve
from stylobate.model_selection.validation.score_names import ScoreName
from stylobate.study.output.sentences import capital
from stylobate.study.question.question import Asked
from stylobate.study.results import CurvePoints
from stylobate.study.search.encoding import FoldEncodings
from stylobate.study.search.families import BASELINE, Family, Setting
from stylobate.study.search.fold_fits import decided
from stylobate.study.search.store import StudyStore

_SHARES = (0.1, 0.2, 0.35, 0.6, 1.0)
_LEAST = 50  # rows below which there is no curve
_TAKEN = "seconds of the curve's first fold"


def curve_of(
    asked: Asked,
    family: Family,
    setting: Setting,
    encodings: FoldEncodings,
    seconds: float,
    allowed: float,
    seed: int,
    store: StudyStore,
) -> CurvePoints | None:
    """Scores against the number of training rows; None if there are too few rows or no time.

    Parameters
    ----------
    seconds : float
        What a fit of the whole training part takes.
    allowed : float
        Seconds the curve may take.
    store : StudyStore
        Keeps what the first fold took, which says how many there is time for.
    """
    n_train = min(len(train) for train, _ in encodings.folds)
    folds = len(encodings.folds)
    once = max(seconds, 1e-6) * sum(_SHARES)
    folds = min(folds, int(allowed / once))
    if n_train < _LEAST or folds < 2 or family.name == BASELINE:
        return None
    sizes = [max(round(share * n_train), 10) for share in _SHARES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            started = perf_counter()
            parts = [_one(asked, family, setting, encodings, 0, sizes, seed)]
            if _TAKEN not in store.facts:
                store.remember(_TAKEN, perf_counter() - started)
            if store.facts[_TAKEN] > allowed:  # small fits may cost as much as large ones
                return None
            folds = min(folds, max(int(allowed / store.facts[_TAKEN]), 2))
            parts += [
                _one(asked, family, setting, encodings, number, sizes, seed)
                for number in range(1, folds)
            ]
        except (StylobateError, ValueError):  # a small part may lack a class
            return None
    train, test = (np.concatenate([part[k] for part in parts], axis=1) for k in (1, 2))
    kept = np.isfinite(train).all(axis=1) & np.isfinite(test).all(axis=1)
    if kept.sum() < 3:
        return None
    return _points(asked, parts[0][0][kept], train[kept], test[kept], encodings)


def _one(
    asked: Asked,
    family: Family,
    setting: Setting,
    encodings: FoldEncodings,
    number: int,
    sizes: list[int],
    seed: int,
) -> tuple[Any, Any, Any]:
    fold = encodings.fold(family.encoding, number)
    model = decided(family.model(setting, **fold.extra), asked)
    found = learning_curve(
        model, fold.x, fold.y, train_sizes=sizes, cv=[fold.split], scoring=asked.scorer,
        shuffle=True, random_state=seed,
    )  # fmt: skip
    return found[0], found[1], found[2]


def _points(
    asked: Asked, sizes: Any, train: Any, test: Any, encodings: FoldEncodings
) -> CurvePoints:
    sign = asked.sign
    metric = asked.question.metric
    name = ScoreName(metric.label, sign)
    n_test = len(encodings.folds[0][1])
    blank = np.zeros_like(test)
    curve = LearningCurve(
        sizes, train, test, blank, blank, score=name, test_to_train=n_test / sizes[-1]
    )
    return CurvePoints(
        tuple(int(n) for n in sizes),
        tuple((sign * train.mean(axis=1)).tolist()),
        tuple(train.std(axis=1, ddof=1).tolist()),
        tuple((sign * test.mean(axis=1)).tolist()),
        tuple(test.std(axis=1, ddof=1).tolist()),
        _words(curve, int(sizes[-1])),
    )


def _words(curve: LearningCurve, most: int) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            said = " ".join(str(curve.extrapolate(2 * most)).split())
        except (StylobateError, ValueError):
            return ""
    # a fold learns from fewer rows than there are: "twice the data" would be read as twice these
    return capital(
        said.replace(
            f"2× the data ({2 * most} rows)", f"learning from {2 * most} rows instead of {most}"
        )
    )
