"""What a study finds: on real tables, with leaks, costs, groups, time, and little time."""

from __future__ import annotations

import json

import numpy as np
import pytest

from stylobate import Study
from stylobate.datasets import load_breast_cancer, read_dataset
from stylobate.study.results import StudyResult

QUICK = {"models": ["logistic", "lda"], "time": 30, "cv": 3}


def shown(result: StudyResult) -> dict[str, float]:
    return {row.family: row.mean for row in result.leaderboard}


def test_scores_are_those_of_scikit_learn_on_the_same_folds():
    """The same encoding, the same folds, the same settings: the same score."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    result = Study("breast_cancer", "diagnosis", models=["logistic"], time=100, cv=4).run()
    X, y = load_breast_cancer(return_X_y=True)
    y = 1 - y  # malignant, the rarer class, is the positive one
    train, _ = next(StratifiedShuffleSplit(1, test_size=114, random_state=0).split(X, y))
    train = np.sort(train)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    (tried,) = [family for family in result.families if family.name == "logistic"]
    assert len(tried.candidates) == 5
    for candidate in tried.candidates:
        model = make_pipeline(
            StandardScaler(), LogisticRegression(C=candidate.params["C"], max_iter=5000, tol=1e-10)
        )
        expected = cross_val_score(model, X[train], y[train], cv=folds)
        np.testing.assert_allclose(candidate.scores, expected, atol=1e-12)
    assert result.holdout.scores[0].value > 0.93


@pytest.mark.parametrize(
    ("source", "target", "least"),
    [("titanic", "survived", 0.76), ("penguins", "species", 0.95), ("wine", "cultivar", 0.9)],
)
def test_never_worse_than_the_baseline(source, target, least):
    result = Study(source, target, time=5, cv=3).run()
    assert result.status == "complete"
    answer, plain = result.holdout.scores[0], result.holdout.baseline[0]
    assert answer.value >= plain.value
    assert answer.value > least
    assert answer.low <= answer.value <= answer.high
    means = [row.mean for row in result.leaderboard]
    assert means == sorted(means, reverse=True)
    assert sum(row.is_chosen for row in result.leaderboard) == 1
    text = json.dumps(result.to_dict(), allow_nan=False)
    assert json.loads(text)["choice"]["key"] == result.choice.key


def test_galtons_line():
    """Children of tall parents are tall, but less so: 23.9 + 0.646 times the parents' height."""
    result = Study("galton", "child", models=["linear", "tree"], time=5).run()
    assert result.choice.family == "linear"
    assert result.explanation.formula == "child = 23.9 + 0.646·parent"
    assert "from 1 column." in result.explanation.words
    assert not result.warnings
    assert result.baseline.verdict == "worse"
    assert result.holdout.scores[0].value < result.holdout.baseline[0].value


def test_numbers_are_estimated_and_explained():
    result = Study("diabetes", "target", models=["linear", "lasso"], time=10).run()
    assert result.question.metric.label == "root mean squared error"
    means = [row.mean for row in result.leaderboard]
    assert means == sorted(means)  # an error: less is better
    assert result.leaderboard[-1].is_baseline
    explained = result.explanation
    assert {each.name for each in explained.importances[:3]} & {"bmi", "s5", "bp"}
    assert explained.importances[0].mean > 0
    assert explained.dependence
    assert abs(explained.mistakes[0].error) >= abs(explained.mistakes[-1].error)
    assert result.model.certificate["optimal"]
    assert 40 < result.holdout.scores[0].value < 70


def test_coefficients_speak_for_the_positive_class():
    found = {}
    for positive in ("0", "1"):
        result = Study("titanic", "survived", positive=positive, **QUICK).run()
        assert result.question.positive == positive
        named = {each.name: each for each in result.explanation.coefficients}
        found[positive] = named["sex_male"]
    assert found["1"].value < 0 < found["0"].value
    assert found["1"].low < found["1"].value < found["1"].high < 0


def test_a_copy_of_the_target_does_not_fool_the_leader():
    table = read_dataset("titanic")
    honest = Study(table, "survived", **QUICK).run()
    table["alive"] = np.array(["yes" if s else "no" for s in table["survived"]], dtype=object)
    table["died"] = 1.0 - table["survived"]
    result = Study(table, "survived", **QUICK).run()
    assert {w.column for w in result.warnings if w.topic == "leakage" and w.severe} == {
        "alive",
        "died",
    }
    assert shown(result) == shown(honest)
    uses = {column.name: column.use for column in result.data.columns}
    assert uses["alive"] == uses["died"] == "left out"
    kept = Study(table, "survived", keep=["alive"], **QUICK).run()
    assert kept.leaderboard[0].mean > 0.99
    assert any(w.column == "alive" and w.severe for w in kept.warnings)


def test_a_copy_in_other_units_is_left_out():
    table = read_dataset("diabetes")
    table["in_other_units"] = 2.54 * table["target"] + 1.0
    result = Study(table, "target", models=["linear"], time=10).run()
    assert [w.column for w in result.warnings if w.topic == "leakage"] == ["in_other_units"]


def test_noise_is_called_noise():
    draw = np.random.default_rng(0)
    table = {f"x{j}": draw.normal(size=200) for j in range(3)}
    table["y"] = draw.integers(0, 2, 200)
    result = Study(table, "y", **QUICK).run()
    assert any(w.topic == "baseline" and w.severe for w in result.warnings)
    assert result.choice.family == "baseline"
    assert "cannot be told from the baseline" in result.choice.reason


def test_costs_move_the_decisions():
    misses = Study("titanic", "survived", cost=(1, 20), **QUICK).run()
    alarms = Study("titanic", "survived", cost=(20, 1), **QUICK).run()
    assert misses.question.metric.label == "expected cost per row"
    assert misses.question.costs.threshold == pytest.approx(1 / 21)
    said = [np.array(r.holdout.confusion)[:, 1].sum() for r in (misses, alarms)]
    assert said[0] > said[1]
    assert misses.leaderboard[-1].mean >= misses.leaderboard[0].mean


def test_groups_are_never_on_both_sides():
    draw = np.random.default_rng(1)
    person = np.repeat(np.arange(40), 5)
    table = {
        "person": np.array([f"p{k:02d}" for k in person], dtype=object),
        "x": draw.normal(size=200),
        "trait": draw.normal(size=40)[person],
        "y": draw.normal(size=40)[person],
    }
    result = Study(table, "y", group="person", models=["neighbours"], time=10).run()
    assert result.split.kind == "grouped"
    assert result.split.holdout_rows % 5 == 0
    # a neighbour of the same person would give the answer away: across persons there is none
    assert result.choice.family == "baseline" or result.leaderboard[0].mean > 0.8


def test_the_past_predicts_the_future():
    days = np.datetime64("2024-01-01") + np.arange(150).astype("m8[D]")
    order = np.random.default_rng(2).permutation(150)
    x = np.linspace(0, 1, 150)
    table = {"day": days[order], "x": x[order], "y": (3 * x + 1)[order] ** 2}
    result = Study(table, "y", time_column="day", models=["linear"], time=10).run()
    assert result.split.kind == "in time"
    assert result.split.holdout_rows == 30
    actual = [point[0] for point in result.holdout.points]
    assert min(actual) == pytest.approx(np.sort(table["y"])[-30])


def test_little_time_gives_a_whole_study_all_the_same():
    result = Study("titanic", "survived", time=1e-3).run()
    assert result.status == "complete"
    assert result.leaderboard[0].family in {"baseline", "naive_bayes"}
    late = [f for f in result.families if f.status in ("left out", "cut short")]
    assert late
    assert any(w.topic == "time" for w in result.warnings)


def test_models_of_ones_own():
    from stylobate.linear_model import RidgeClassifier

    mine = {"mine": RidgeClassifier(alpha=3.0)}
    result = Study("penguins", "sex", models=mine, time=10, cv=3).run()
    assert set(shown(result)) == {"baseline", "mine"}
    assert result.data.target.missing == 11
    assert "11 rows without sex" in " ".join(result.data.notes)


def test_rare_classes_and_duplicate_columns():
    draw = np.random.default_rng(3)
    x = draw.normal(size=120)
    y = np.where(x > 0, "up", "down").astype(object)
    y[:3] = "rare"
    result = Study({"x": x, "again": x, "y": y}, "y", **QUICK).run()
    assert result.question.classes == ("down", "up")
    assert any("fewer than 5 rows" in note for note in result.data.notes)


def test_the_model_file_predicts_what_the_study_said(tmp_path):
    from stylobate import load

    result = Study("penguins", "species", folder=tmp_path / "made", **QUICK).run()
    model = load(tmp_path / "made" / "model.stylobate")
    table = read_dataset("penguins")
    import pandas as pd

    frame = pd.DataFrame({k: v for k, v in table.items() if k != "species"})
    frame = frame[list(model.feature_names_in_)]
    share = np.mean(model.predict(frame) == table["species"])
    assert share > 0.97
    page = (tmp_path / "made" / "report.html").read_text(encoding="utf-8")
    assert result.choice.title in page


def test_learning_curve_of_classes_from_statistics():
    """Statistics of classes count rows by class; the curve's training scores need them all."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Theirs

    from stylobate.datasets import load_wine
    from stylobate.discriminant_analysis import LinearDiscriminantAnalysis
    from stylobate.model_selection import learning_curve

    X, y = load_wine(return_X_y=True)
    options = {"train_sizes": [60, 100], "cv": 3, "shuffle": True, "random_state": 0}
    sizes, train, test = learning_curve(LinearDiscriminantAnalysis(), X, y, **options)
    import sklearn.model_selection as theirs

    expected = theirs.learning_curve(Theirs(), X, y, **options)
    np.testing.assert_array_equal(sizes, expected[0])
    np.testing.assert_allclose(train, expected[1], atol=1e-12)
    np.testing.assert_allclose(test, expected[2], atol=1e-12)


def test_a_slow_family_does_not_starve_the_others():
    """Recorded times decide: the slow family is given up, and what comes after it is not."""
    from stylobate.study.run import StudyRun
    from stylobate.study.search.search import Search
    from stylobate.study.search.store import FoldScore

    models = ["linear", "ridge", "huber", "tree", "boosting"]
    run = StudyRun(Study("diabetes", "target", models=models, time=100), None)
    run._prepare()
    run.result = None
    slow = {"linear": 30.0}  # of a simple family, whose turn came first
    for family in run.ready.families:
        for setting in family.settings:
            for fold in range(5):
                seconds = slow.get(family.name, 0.01)
                run.store.add(fold, {setting.key: FoldScore(-1.0, seconds)})

    class Folds:
        folds = run.ready.division.folds

    told = []
    search = Search(
        run.ready.asked,
        run.ready.families,
        Folds,
        run.store,
        60.0,
        lambda f, k, n: told.append(f.name),
    )
    search.first_look()
    search.tune()
    search.look_at_slow()
    assert set(search.too_slow) == {"linear"}
    assert "a fold took 30 s" in search.too_slow["linear"]
    assert told.count("linear") == 1
    assert told.index("boosting") < told.index("linear")


def test_a_setting_given_up_leaves_its_time_to_the_next():
    from stylobate.study.search.families import Setting
    from stylobate.study.search.search import Search
    from stylobate.study.search.store import FoldScore, StudyStore

    settings = [Setting(key, "any", {}, place) for place, key in enumerate("abc")]
    store = StudyStore(None, "print")
    for setting, seconds in zip(settings, (1.0, 50.0, 1.0), strict=True):
        store.add(0, {setting.key: FoldScore(1.0, seconds)})

    class Folds:
        folds = [(np.arange(80), np.arange(80, 100))] * 5  # of equal sizes

    search = Search(None, [], Folds, store, 100.0, lambda *_: None)
    kept = search._affordable(settings, 1, 10.0)
    assert [each.key for each in kept] == ["a", "c"]
    assert set(search.too_slow) == {"b"}


def rows_of(scores, metric="neg_root_mean_squared_error", choice=None):
    """A leaderboard of made-up fold scores (as shown, less is better)."""
    from types import SimpleNamespace

    from stylobate.study.results import Candidate, FamilyTried
    from stylobate.study.search.leaderboard import leaderboard_of

    families = []
    for name, settings in scores.items():
        tried = [
            Candidate(key, name, {}, tuple(s), float(np.mean(s)),
                      float(np.std(s, ddof=1) / np.sqrt(len(s))), 1.0, "done", "")
            for key, s in settings.items()
        ]  # fmt: skip
        best = min(tried, key=lambda c: c.mean).key
        families.append(FamilyTried(name, name, name, 1, "plain", tuple(tried), best, "done", ""))
    asked = SimpleNamespace(sign=-1, question=SimpleNamespace(metric=SimpleNamespace(name=metric)))
    every = np.arange(100)
    folds = [(np.setdiff1d(every, every[k::5]), every[k::5]) for k in range(5)]
    return leaderboard_of(families, asked, folds, 100, choice)


def test_verdict_p_value_and_interval_agree():
    from stylobate.inference import holm
    from stylobate.inference.comparisons.paired import corrected_resampled_t_test

    draw = np.random.default_rng(4)
    base = 5.0 + draw.normal(size=5)
    scores = {"baseline": base + 4}
    scores |= {f"m{j}": base + 0.15 * j + 0.12 * draw.normal(size=5) for j in range(9)}
    rows = rows_of({name: {name: values} for name, values in scores.items()})
    others = rows[1:]
    best = np.array(rows[0].scores)
    raw = [corrected_resampled_t_test(r.scores, best, test_to_train=1 / 4).p for r in others]
    adjusted = [
        raw[k] if row.is_baseline else p
        for k, (row, p) in enumerate(zip(others, holm(raw), strict=True))
    ]  # that of the baseline was planned, as the only one
    np.testing.assert_allclose([r.p_value for r in others], adjusted)
    for row in others:
        assert (row.difference_low > 0) == (row.verdict == "worse") == (row.p_value < 0.05)
    assert {row.verdict for row in others} == {"worse", "likely worse", "within noise"}


def test_the_baseline_is_tested_once_and_not_with_all_others():
    """Heights of children by those of their parents: five of five folds agree on a gain."""
    tree = [2.2426, 2.2804, 2.2577, 2.1872, 2.3083]
    scores = {"baseline": {"baseline": [2.5059, 2.3910, 2.5165, 2.5769, 2.5262]}}
    scores |= {f"m{j}": {f"m{j}": [each + j / 1000 for each in tree]} for j in range(10)}
    rows = rows_of(scores)
    baseline = rows[-1]
    assert baseline.is_baseline
    assert baseline.verdict == "worse"
    assert baseline.p_value < 0.05 < 10 * baseline.p_value
    assert baseline.difference_low > 0


def test_wild_scores_are_unstable_and_errors_not_negative():
    rows = rows_of(
        {
            "baseline": {"baseline": [9.0, 9.1, 9.2, 9.0, 9.1]},
            "good": {"good": [1.0, 1.1, 1.0, 1.2, 1.1]},
            "wild": {"wild": [1.0, 1.1, 1.0, 1.2, 2e6]},
        }
    )
    found = {row.family: row for row in rows}
    assert found["wild"].verdict == "unstable"
    assert str(found["wild"].low) == "0.0"
    assert found["baseline"].verdict == "worse"


def test_the_chosen_row_shows_the_chosen_setting():
    from types import SimpleNamespace

    from stylobate.study.search.choice import with_choice

    settings = {"a": [1.0, 1.1, 1.2, 1.0, 1.1], "b": [1.01, 1.1, 1.2, 1.0, 1.1]}
    choice = SimpleNamespace(key="b", family="x")
    rows = with_choice(rows_of({"x": settings}, choice=choice), choice)
    assert [(row.key, row.is_chosen) for row in rows] == [("a", False), ("b", True)]
    assert rows[1].mean == pytest.approx(np.mean(settings["b"]))


def test_a_model_for_another_kind_of_target_is_refused():
    from sklearn.ensemble import RandomForestRegressor

    from stylobate.exceptions import InvalidParameterError
    from stylobate.linear_model import Ridge, RidgeClassifier

    for model in (Ridge(), RandomForestRegressor()):
        with pytest.raises(InvalidParameterError, match=r"models\['rf'\] is a regressor.*classes"):
            Study("titanic", "survived", models={"rf": model}).run()
    with pytest.raises(InvalidParameterError, match=r"is a classifier.*holds numbers"):
        Study("diabetes", "target", models={"rc": RidgeClassifier()}).run()


def test_refusals_and_what_is_left_out_in_plain_words():
    from stylobate.exceptions import InvalidDataError

    late = {**read_dataset("penguins")}
    order = np.argsort(late["species"].astype(str), kind="stable")
    late = {name: values[order] for name, values in late.items()} | {"at": np.arange(len(order))}
    with pytest.raises(InvalidDataError, match="the class 'Chinstrap' is missing"):
        Study(late, "species", time_column="at").run()
    told = []
    table = {**read_dataset("penguins")}
    table["same"] = np.ones(len(table["species"]))
    Study(table, "sex", **QUICK).run(told.append)
    (line,) = [e.text for e in told if "Left out" in e.text]
    assert "the column same (constant)" in line
    assert "11 rows without sex take no part." in line


def test_only_finished_settings_count_as_tried():
    from types import SimpleNamespace as Made

    from stylobate.study.page.words import finished

    states = [["done", "done", "too slow"], ["stopped"], []]
    families = [Made(candidates=[Made(status=s) for s in each]) for each in states]
    assert finished(Made(families=families)) == (2, 1)
