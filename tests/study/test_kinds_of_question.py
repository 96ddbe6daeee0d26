"""What a study makes of targets and columns: tasks, metrics, texts, names, cut-off times."""

import numpy as np
import pytest

from stylobate import Study
from stylobate.data.kinds import infer_schema
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.study.preparation import prepare
from stylobate.study.progress import StudyProgress
from stylobate.study.question.metrics import choose_metric
from stylobate.study.question.tasks import task_of

DRAW = np.random.default_rng(0)
N = 120
X = DRAW.normal(size=N)


def prepared(table, target, **options):
    return prepare(Study(table, target, **options), StudyProgress(None))


def asked(target, **options):
    return prepared({"x": X, "y": np.asarray(target)}, "y", **options).asked.question


def test_unknown_is_a_class_where_the_target_has_it():
    labels = np.array(["M", "F", "Unknown"] * (N // 3), dtype=object)
    assert asked(labels).classes == ("F", "M", "Unknown")


def test_several_labels_are_refused_with_words():
    films = np.array(["Action|Comedy", "Comedy", "Drama|Action", "Drama", "Comedy|Drama"] * 24)
    with pytest.raises(InvalidDataError, match=r"several labels in a row.*'Action\|Comedy'"):
        asked(films.astype(object))
    places = np.array(["Rome; Italy", "Oslo; Norway", "Lima; Peru"] * 40, dtype=object)
    assert len(asked(places).classes) == 3  # parts that never come back are one name
    with pytest.raises(InvalidParameterError, match="names several columns"):
        Study({"x": X}, ["a", "b"])


def test_numbers_as_classes_and_classes_as_numbers():
    quality = DRAW.integers(3, 9, N)
    assert asked(quality).task == "regression"
    with pytest.raises(InvalidParameterError, match="--task classification"):
        asked(quality, metric="accuracy")
    as_classes = asked(quality, task="classification", metric="accuracy")
    assert as_classes.task == "multiclass"
    assert as_classes.metric.name == "accuracy"
    steps = asked(quality, task="classification", metric="mae").metric
    assert steps.label == "mean number of steps off"
    assert not steps.greater_is_better
    with pytest.raises(InvalidParameterError, match="is for numbers, and 'y' holds nominal"):
        asked(np.array(["a", "b", "c"] * (N // 3), dtype=object), task="regression")
    with pytest.raises(InvalidParameterError, match="must be one of"):
        asked(quality, task="guessing")


def test_metrics_that_make_sense():
    y = np.array([0.0, 2.0, 5.0])
    counts = choose_metric("mean_poisson_deviance", "regression", None, y=y)
    assert counts.name == "neg_mean_poisson_deviance"
    with pytest.raises(InvalidParameterError, match="all above 0, and the smallest 'y' is 0"):
        choose_metric("mean_gamma_deviance", "regression", None, y=y, target="y")
    assert choose_metric("f1", "multiclass", None).name == "f1_macro"
    with pytest.raises(InvalidParameterError, match="judges numbers"):
        choose_metric("rmse", "binary", None)
    ordered = infer_schema([["low"], ["high"], ["medium"]] * 9)["x0"]
    assert task_of(ordered, np.array(["low"], dtype=object)).ordered


def test_counts_get_poisson_models():
    counts = DRAW.poisson(3.0, N).astype(float)
    found = prepared({"x": X, "y": counts}, "y", task="regression")
    assert "counts" in found.asked.question.reason
    boosting = next(each for each in found.families if each.name == "boosting")
    assert [each.params.get("loss") for each in boosting.settings[:2]] == [None, "poisson"]
    amounts = prepared({"x": X, "y": counts + 0.5}, "y")
    boosting = next(each for each in amounts.families if each.name == "boosting")
    assert not any("loss" in each.params for each in boosting.settings)


def test_cut_off_times_are_said_to_be_out_of_reach():
    table = {"age": X, "survival_time": np.exp(X), "died": DRAW.integers(0, 2, N)}
    topics = {each.topic: each.text for each in prepared(table, "survival_time").warnings}
    assert "survival model" in topics["censoring"]
    other = {"age": X, "price": np.exp(X), "died": DRAW.integers(0, 2, N)}
    assert "censoring" not in {each.topic for each in prepared(other, "price").warnings}


def test_names_of_rows_are_left_out_and_sentences_are_not():
    codes = np.array([f"case {k % 115}" for k in range(N)], dtype=object)
    said = np.array([f"the film number {k} was really very good" for k in range(N)], dtype=object)
    table = {"x": X, "code": codes, "said": said, "y": DRAW.integers(0, 2, N)}
    found = prepared(table, "y")
    assert found.features.columns == ("x", "said")
    left = {each.name: each.reason for each in found.data.columns}
    assert "names the rows" in left["code"]
    assert prepared(table, "y", keep=["code"]).features.columns == ("x", "code", "said")
    told = prepared(table, "y", kinds={"code": "nominal", "said": "identifier"})
    assert told.features.columns == ("x", "code")
    with pytest.raises(InvalidParameterError, match="names the column 'cod'"):
        prepared(table, "y", kinds={"cod": "nominal"})


@pytest.fixture(scope="module")
def opinions():
    draw = np.random.default_rng(1)
    good, bad = ["superb", "lovely", "great"], ["dull", "awful", "poor"]
    plain = [f"word{k}" for k in range(12)]
    label = draw.integers(0, 2, 300)
    texts = []
    for each in label:
        own = draw.choice(good if each else bad, 2).tolist() + draw.choice(plain, 8).tolist()
        texts.append(" ".join(draw.permutation(own)))
    return {"text": np.array(texts, dtype=object), "label": label}


def test_words_are_learnt(opinions):
    result = Study(opinions, "label", models=["logistic", "tree"], time=20).run()
    means = {row.family: row.mean for row in result.leaderboard}
    assert means["logistic"] > 0.97
    assert means["tree"] > means["baseline"]
    assert {each.name for each in result.explanation.coefficients[:40]} & {
        f"text_{word}" for word in ("superb", "dull", "awful", "lovely", "great", "poor")
    }
    assert result.explanation.importances[0].name == "text"


def test_many_categories_and_collinear_columns_in_one_study():
    draw = np.random.default_rng(2)
    group = draw.integers(0, 40, 600)
    effect = draw.normal(size=40)
    x = draw.normal(size=600)
    table = {
        "team": np.array([f"t{k:02d}" for k in group], dtype=object),
        "x": x,
        "x2": 3 * x + 0.01 * draw.normal(size=600),
        "day": np.datetime64("2024-01-01") + draw.integers(0, 300, 600),
        "y": 3 * effect[group] + x + 0.1 * draw.normal(size=600),
    }
    result = Study(table, "y", models=["linear"], time=20).run()
    best = result.leaderboard[0]
    assert best.mean < 0.5  # the spread of the target is above 3
    names = [each.name for each in result.explanation.importances]
    assert set(names) == {"team", "x + x2", "day"}
    assert "together" in result.explanation.importance_note


def test_dates_are_drawn():
    draw = np.random.default_rng(3)
    days = draw.integers(0, 700, 300)
    table = {
        "day": np.datetime64("2022-01-01") + days,
        "x": draw.normal(size=300),
        "y": days / 100.0 + 0.1 * draw.normal(size=300),
    }
    result = Study(table, "y", models=["ridge"], time=20).run()
    (curve,) = [each for each in result.explanation.dependence if each.feature == "day"]
    assert curve.grid[0].startswith("2022-01")
    assert len(curve.grid) == 12
    span = (np.datetime64(curve.grid[-1]) - np.datetime64(curve.grid[0])).astype(int)
    assert curve.mean[-1] - curve.mean[0] == pytest.approx(span / 100.0, abs=0.3)


def test_codes_for_missing_numbers_are_pointed_out():
    draw = np.random.default_rng(4)
    gas = np.where(draw.random(300) < 0.1, -200.0, draw.normal(3.0, 1.0, 300))
    found = prepared({"x": draw.normal(size=300), "gas": gas}, "gas").warnings
    assert [each.column for each in found if each.topic == "sentinel"] == ["gas"]
