"""Classes that a model is asked about but has never seen."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.base import is_classifier
from stylobate.base.parameters import brief
from stylobate.data import read_labels
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.model_selection.validation.data import Data
from stylobate.splits import Split
from stylobate.splits.strata import type_of_target


def tell_of_unseen_labels(
    estimator: Any, data: Data, splitter: Any, splits: Sequence[Split]
) -> None:
    """Warn if a classifier is tested on classes that its training part lacks.

    Stratified splitters tell of classes with few rows themselves.
    """
    if data.y is None or not is_classifier(estimator) or "Stratified" in type(splitter).__name__:
        return
    if type_of_target(data.y) not in ("binary", "multiclass"):
        return
    classes, codes = read_labels(data.y, owner="cross-validation")
    found = [_unseen(codes, split, len(classes)) for split in splits]
    numbers = [k for k, unseen in enumerate(found) if unseen.any()]
    if not numbers:
        return
    example = classes[found[numbers[0]]].tolist()
    warnings.warn(
        f"In {len(numbers)} of {len(splits)} splits the test part has labels that the training "
        f"part lacks, so no model can be right about them: in split {numbers[0]} {brief(example)}. "
        "Use StratifiedKFold, or shuffle the rows.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )


def _unseen(codes: Any, split: Split, count: int) -> Any:
    train, test = (np.bincount(codes[rows], minlength=count) for rows in split)
    return (train == 0) & (test > 0)
