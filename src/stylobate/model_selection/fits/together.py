"""Fits of several settings to one training part, where the estimator shares work among them."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from stylobate.base import clone
from stylobate.base.learning import LearnsFromStatistic, defined_below
from stylobate.config import get_config
from stylobate.data.indexing import take_rows
from stylobate.exceptions import StylobateError
from stylobate.model_selection.fits.captured_warnings import listening
from stylobate.model_selection.fits.task import Outcome, Task
from stylobate.model_selection.validation.data import chooser
from stylobate.splits import Split


def may_share(models: Sequence[Any], task: Task) -> bool:
    """Whether these estimators may have work to share; nobody receives the fits, only scores."""
    kind = type(models[0])
    if len(models) < 2 or not all(type(each) is kind for each in models):
        return False
    if not issubclass(kind, LearnsFromStatistic) or defined_below(kind, "fit", "_fitted_together"):
        return False
    own = defined_below(kind, "_fitted_together", "_fitted_to")
    by_rows = get_config()["cross_validation"] != "refit" and task.data.y is not None
    weighted_at_most = not set(task.data.params) - {"sample_weight"}
    return own and by_rows and weighted_at_most and not task.keep_estimator


def run_together(task: Task, models: Sequence[Any], split: Split) -> list[Outcome]:
    """The outcomes of all models on a split; one by one where they share nothing after all."""
    started = perf_counter()
    fitted = _fitted(task, models, split)
    if fitted is None:
        return [task.run(model, split) for model in models]
    share = (perf_counter() - started) / len(models)
    return [task.judged(model, split, share) for model in fitted]


def _fitted(task: Task, models: Sequence[Any], split: Split) -> list[Any] | None:
    """The fits; None where they have to be made one by one: to share nothing, fail, or warn."""
    data, train = task.data, chooser(models[0])(split[0])
    weights = data.chosen_params(train).get("sample_weight")
    with listening() as heard:
        try:
            x, y = take_rows(data.x, train), take_rows(data.y, train)
            table = clone(models[0])._read(x, y, weights, reset=True, check_finite="deferred")
            made: list[Any] | None = type(models[0])._fitted_together(models, table)
        except (StylobateError, IndexError):
            return None
    return None if heard else made
