"""Settings of a family fitted to one fold and scored on its other rows."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.exceptions import StylobateError
from stylobate.model_selection.fits.run import FitRun, Running
from stylobate.model_selection.fits.task import Outcome, Task
from stylobate.model_selection.validation.data import Data
from stylobate.study.question.question import Asked
from stylobate.study.search.encoding import EncodedFold
from stylobate.study.search.families import Family, Setting
from stylobate.study.search.shared_neighbours import neighbour_outcomes, share_neighbours
from stylobate.study.search.store import FoldScore

_WARNINGS = 3  # kept of a fit
_KIND = re.compile(r"^[\w.]+(Error|Exception): ")  # of an error, before what it says


def few_rows(fold: EncodedFold, count: int) -> EncodedFold:
    """Some rows of a fold, evenly spaced."""
    n_rows, n_train = len(fold.y), fold.n_train
    train = np.linspace(0, n_train - 1, min(count, n_train)).astype(np.intp)
    test = np.linspace(n_train, n_rows - 1, min(count // 4, n_rows - n_train)).astype(np.intp)
    rows = np.concatenate([train, test])
    return EncodedFold(fold.x[rows], fold.y[rows], len(train), fold.extra)


def run_fold(
    asked: Asked, family: Family, settings: Sequence[Setting], fold: EncodedFold
) -> list[Outcome]:
    """The outcomes of some settings on one fold; what fits warn of is part of them."""
    with warnings.catch_warnings():  # of a score: a fold without a class is no news to the user
        warnings.simplefilter("ignore")
        return _outcomes(asked, family, settings, fold)


def _outcomes(
    asked: Asked, family: Family, settings: Sequence[Setting], fold: EncodedFold
) -> list[Outcome]:
    models = [decided(family.model(each, **fold.extra), asked) for each in settings]
    if share_neighbours(models):
        try:
            return neighbour_outcomes(models, fold, asked.scorer)
        except StylobateError:  # one by one, each setting says what is wrong with it
            pass
    task = Task(Data(fold.x, fold.y), asked.scorer, error_score=np.nan)
    run = FitRun(models[0], models, task, [fold.split], Running("study", progress=False))
    return run.all()


def decided(model: Any, asked: Asked) -> Any:
    """The model, deciding by costs where there are any; classes are 0 and 1."""
    costs = asked.question.costs
    if costs is None:
        return model
    from stylobate.decision import CostSensitiveClassifier

    matrix = [[0.0, costs.false_positive], [costs.false_negative, 0.0]]
    return CostSensitiveClassifier(model, cost=matrix)


def scored(outcome: Outcome, share: float) -> FoldScore:
    """What is kept of an outcome; `share` is its part of the time that encoding took."""
    failure = outcome.failure or outcome.scoring_failure
    seconds = outcome.fit_time + outcome.score_time + share
    told = tuple(dict.fromkeys(outcome.warnings))[:_WARNINGS]
    if failure is None:
        score = float(next(iter(outcome.test.values())))
        if np.isfinite(score):
            return FoldScore(score, seconds, told)
        failure = f"the score is {score}"
    said = _KIND.sub("", str(failure).strip().splitlines()[-1])
    return FoldScore(None, seconds, told, said)
