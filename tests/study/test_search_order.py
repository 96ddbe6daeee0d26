"""What is tried first, and what of it is recorded once."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate import Study
from stylobate.study.run import StudyRun
from stylobate.study.search.encoding import FoldEncodings
from stylobate.study.search.search import Search
from stylobate.study.search.store import FoldScore

MODELS = ["linear", "ridge", "huber", "tree", "forest"]


def searched(seconds: dict[str, float], budget: float) -> tuple[Search, list[str]]:
    """A search all of whose fits are recorded already, with made-up times."""
    run = StudyRun(Study("diabetes", "target", models=MODELS, time=1000), None)
    run._prepare()
    for family in run.ready.families:
        for setting in family.settings:
            for fold in range(5):
                score = FoldScore(-1.0 - setting.place, seconds.get(family.name, 0.01))
                run.store.add(fold, {setting.key: score})

    class Folds:
        folds = run.ready.division.folds

    told: list[str] = []
    search = Search(
        run.ready.asked, run.ready.families, Folds, run.store, budget,
        lambda family, fold, folds: told.append(family.name),
    )  # fmt: skip
    search.first_look()
    search.look_at_slow(0.5)
    search.tune()
    search.look_at_slow()
    search.tune()
    return search, told


def test_a_slow_family_is_looked_at_before_others_are_tuned():
    search, told = searched({"forest": 1.0}, 60.0)
    first = told.index("forest")
    assert set(told[:first]) >= {"baseline", "linear", "ridge", "tree"}
    assert "tree" in told[first:]  # whose other settings come later
    assert not search.too_slow


def test_a_slow_family_that_takes_most_of_the_time_waits():
    search, told = searched({"forest": 4.0}, 30.0)  # 5 folds take 20 of 30 seconds
    assert told.index("forest") > max(k for k, name in enumerate(told) if name == "tree")
    assert any("forest" in key for key in search.too_slow)  # its other settings
    assert told.count("forest") >= 5


def test_every_fit_is_paid_for_once():
    search, _ = searched({"forest": 0.3, "huber": 0.2}, 1000.0)
    assert not search.too_slow
    assert search.spent == pytest.approx(sum(each.seconds for each in search.store.scores.values()))


def test_codes_without_a_word_on_categories():
    """Forests are given the numbers that trees are given, as numbers."""
    run = StudyRun(Study("penguins", "species", models=["tree", "forest"], time=10), None)
    run._prepare()
    from stylobate.study.search.encoding import FoldEncodings

    ready = run.ready
    training = ready.division.training
    encodings = FoldEncodings(
        ready.features[training], ready.schema, ready.asked.y[training], ready.division.folds,
        "multiclass",
    )  # fmt: skip
    plain, codes = (encodings.fold(each, 0) for each in ("ordinal", "codes"))
    assert plain.x is codes.x
    assert plain.extra == {}
    assert codes.extra["categorical_features"]
    forest = next(each for each in ready.families if each.name == "forest")
    assert forest.encoding == "ordinal"
    model = forest.model(forest.settings[0], **plain.extra).set_params(n_estimators=5)
    model.fit(plain.x[: plain.n_train], plain.y[: plain.n_train])
    assert not model.column_categories_.any
    assert np.isfinite(model.predict_proba(plain.x)).all()


def test_who_asks_first_for_an_encoding_pays_for_it():
    ready = StudyRun(Study("diabetes", "target", time=1000), None)
    ready._prepare()
    training = ready.ready.division.training
    encodings = FoldEncodings(
        ready.ready.features[training], ready.ready.schema, ready.ready.asked.y[training],
        ready.ready.division.folds, "regression",
    )  # fmt: skip
    encodings.fold("codes", 0)
    assert encodings.seconds_due("scaled", 0) == 0
    assert encodings.seconds_due("ordinal", 0) > 0  # the same numbers
    assert encodings.seconds_due("codes", 0) == 0
    encodings.fold("ordinal", 0)
    assert encodings.seconds_due("codes", 0) == 0
