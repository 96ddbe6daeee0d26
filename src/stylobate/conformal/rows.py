"""Models and the rows they have not seen."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.delegation import fitted_clone, takes_weights
from stylobate.base.jobs import run_jobs
from stylobate.base.randomness import stream_of
from stylobate.data import read_weights
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.indexing import indexable, take_rows
from stylobate.data.target import read_target, refuse_missing_target
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.model_selection.validation.data import Data, chooser
from stylobate.model_selection.validation.partition import train_test_split
from stylobate.splits import Split
from stylobate.splits.splitter import count_rows

Fold = tuple[Any, NDArray[np.intp]]  # a fitted model and the numbers of rows it has not seen


def is_frozen(model: Any) -> bool:
    """Whether a model is fitted already and is to stay so: ours or scikit-learn's wrapper."""
    return type(model).__name__ == "FrozenEstimator"


def read_fit_data(owner: str, model: Any, X: Any, y: Any, sample_weight: Any) -> Data:
    """Rows that can be chosen from; weights go to the model alone, which must take them."""
    rows = indexable(X)
    if rows is None or not (hasattr(rows, "__len__") or hasattr(rows, "shape")):
        raise InvalidDataError(f"{owner}: X must be a table of rows, got {X!r}.")
    if count_rows(rows) < 2:
        raise InvalidDataError(
            f"Found array with {count_rows(rows)} sample(s) while a minimum of 2 is required by "
            f"{owner}: some rows to fit to, and some to measure errors on."
        )
    weights = read_weights(sample_weight, count_rows(rows), owner=owner)
    if weights is None:
        return Data.of(rows, y, None, {})
    if not takes_weights(model):
        raise InvalidParameterError(
            f"{owner}: {type(model).__name__} takes no sample_weight; leave it out."
        )
    return Data.of(rows, y, None, {"sample_weight": weights})


def read_numbers(y: Any, n_rows: int, owner: str) -> Array:
    """A finite target of one column."""
    if y is None:
        refuse_missing_target(owner)
    values, _, finite = read_target(y, n_rows, owner=owner, multi_output=False)
    if not finite:
        refuse_nonfinite(values, Input(owner, "y"))
    return values[:, 0]


def held_out_split(data: Data, share: float, seed: Any, strata: Any) -> Split:
    """Rows to fit to and rows to calibrate on, drawn once."""
    train, test = train_test_split(
        np.arange(data.n_rows), test_size=share, random_state=stream_of(seed), stratify=strata
    )
    return np.sort(np.asarray(train)), np.sort(np.asarray(test))


def fitted_folds(model: Any, data: Data, splits: list[Split], n_jobs: int | None) -> list[Fold]:
    """A model for each split; one that is frozen is the same for all."""
    if is_frozen(model):
        return [(model, test) for _, test in splits]
    return list(
        run_jobs(
            [partial(_fold, model, data, split) for split in splits], n_jobs, model, "2*n_jobs"
        )
    )


def _fold(model: Any, data: Data, split: Split) -> Fold:
    train = chooser(model)(split[0])
    x, y = take_rows(data.x, train), take_rows(data.y, train)
    return fitted_clone(model, x, y, data.chosen_params(train)), split[1]
