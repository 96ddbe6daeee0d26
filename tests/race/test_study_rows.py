"""The script of the races of studies sets the same rows aside, and folds the others alike."""

from __future__ import annotations

import numpy as np
import pytest

from race.workload import FOLDER, load
from race.workloads._study import FOLDS, SEED
from race.workloads._study_script import split_of
from race.workloads._study_tables import table_of
from stylobate import Study
from stylobate.study.preparation import prepare
from stylobate.study.progress import StudyProgress

selection = pytest.importorskip("sklearn.model_selection")


@pytest.mark.parametrize(
    ("name", "target", "regression"),
    [
        ("titanic", "survived", False),
        ("penguins", "species", False),
        ("breast_cancer", "diagnosis", False),
        ("galton", "child", True),
    ],
)
def test_rows_and_folds_are_those_of_the_study(name: str, target: str, regression: bool) -> None:
    workload = load(FOLDER / f"study_{name}.py")
    table = table_of(workload.make({"rows": 10_000}, 0), target, regression)
    split = split_of(table, target, regression, SEED)
    ready = prepare(Study(table, target, cv=FOLDS, random_state=SEED), StudyProgress(None))
    locked = ready.asked.rows[ready.division.holdout]
    assert split.x_test.index.tolist() == locked.tolist()
    kind = selection.KFold if regression else selection.StratifiedKFold
    folds = kind(FOLDS, shuffle=True, random_state=SEED).split(split.x, split.y)
    for (train, test), (ours, judged) in zip(folds, ready.division.folds, strict=True):
        np.testing.assert_array_equal(np.sort(ours), train)
        np.testing.assert_array_equal(judged, test)
