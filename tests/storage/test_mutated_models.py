"""Sound archives of unsound models: refused, or a model that answers; the process lives on."""

from __future__ import annotations

import ast
import copy
import dataclasses
import importlib
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stylobate
from stylobate.ensemble import (
    BaggingRegressor,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    VotingClassifier,
)
from stylobate.exceptions import ModelFileError
from stylobate.impute import MissingIndicator, SimpleImputer
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.naive_bayes import GaussianNB
from stylobate.neighbors import KNeighborsClassifier, KNeighborsRegressor
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import (
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    StandardScaler,
)
from stylobate.storage.archive import read_archive
from stylobate.storage.former_names import FORMER_MODULES, FORMER_NAMES
from stylobate.storage.hints import misfit
from stylobate.storage.names import class_named, is_storable, name_of
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor, Tree

X = np.random.default_rng(0).normal(size=(40, 2))
Y = X[:, 0] + (X[:, 1] > 0)


def test_changed_models_are_refused_or_answer():
    """In a process of its own, so that a crash, a hang or a hunger for memory can be seen."""
    program = Path(__file__).with_name("mutations.py")
    source = str(Path(stylobate.__file__).parent.parent)
    run = subprocess.run(
        [sys.executable, str(program), "0", "750"],
        capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    found = json.loads(run.stdout)
    assert found["refused"] > 100
    assert found["answered"] > 100
    assert found["wrong"] == []


def changed_tree(**columns):
    tree = DecisionTreeRegressor(max_depth=2).fit(X, Y)
    made = {}
    for name, change in columns.items():
        made[name] = change(np.array(getattr(tree.tree_, name)))
    tree.tree_ = dataclasses.replace(tree.tree_, **made)
    return tree


def with_first(value):
    def change(array):
        array.flat[0] = value
        return array

    return change


@pytest.mark.parametrize(
    "columns",
    [
        {"feature": with_first(2)},
        {"feature": with_first(-1)},
        {"feature": lambda array: array.astype(np.int64)},
        {"threshold": lambda array: array.astype(np.float32)},
        {"missing_go_to_left": lambda array: array[:-1]},
        {"impurity": lambda array: array[:1]},
        {"n_node_samples": lambda array: array.astype(float)},
        {"value": lambda array: array[:, :0]},
        {"category_start": with_first(0)},  # of no words at all
        {"category_start": with_first(1), "categories": lambda array: np.uint32([0, 7, 3])},
        {"categories": lambda array: array.astype(np.int64)},
    ],
)
def test_trees_that_cannot_be_walked(columns, tmp_path):
    with pytest.raises(ModelFileError, match="do not make a tree"):
        stylobate.load(changed_tree(**columns).save(tmp_path / "tree"))


def test_trees_of_another_model(tmp_path):
    labels = np.array(["a", "b", "c"])[(X[:, 0] > 0) + 1 * (X[:, 1] > 0)]
    place = tmp_path / "model"
    forest = RandomForestClassifier(n_estimators=2, random_state=0).fit(X, labels)
    forest._trees[1] = DecisionTreeRegressor().fit(X, Y).tree_
    with pytest.raises(ModelFileError, match="trees of other columns or targets"):
        stylobate.load(forest.save(place))
    forest._trees[1] = "no tree"
    with pytest.raises(ModelFileError, match="has trees that are none"):
        stylobate.load(forest.save(place))
    tree = DecisionTreeClassifier().fit(X, labels)
    tree.classes_, tree.n_classes_ = tree.classes_[:2], 2
    with pytest.raises(ModelFileError, match="trees of other columns or targets"):
        stylobate.load(tree.save(place))
    boosted = HistGradientBoostingRegressor(max_iter=2).fit(X, Y)
    boosted.trees_[1] = boosted.trees_[1] * 2
    with pytest.raises(ModelFileError, match="an iteration of 2 trees for a baseline"):
        stylobate.load(boosted.save(place))


def test_members_and_classes_of_another_model(tmp_path):
    place = tmp_path / "model"
    bag = BaggingRegressor(n_estimators=2, random_state=0).fit(X, Y)
    bag.estimators_features_[0] = np.array([0, 5])
    with pytest.raises(ModelFileError, match="read columns there are not"):
        stylobate.load(bag.save(place))
    votes = VotingClassifier([("a", GaussianNB()), ("b", LogisticRegression())]).fit(X, Y > 0)
    votes.estimators_[1] = 3.5
    with pytest.raises(ModelFileError, match="members that are no estimators"):
        stylobate.load(votes.save(place))
    twice = GaussianNB().fit(X, Y > 0)
    twice.classes_ = np.array([True, True])
    with pytest.raises(ModelFileError, match="names a class twice"):
        stylobate.load(twice.save(place))


def test_values_of_another_type_than_their_field(tmp_path, rewritten):
    tree = DecisionTreeRegressor(max_depth=1).fit(X, Y)
    place = tree.save(tmp_path / "tree")

    def change(document):
        document["model"]["state"]["tree_"]["state"]["n_features"] = "two"

    with pytest.raises(ModelFileError, match="A Tree of the file has a str for n_features"):
        stylobate.load(rewritten(place, change))
    assert misfit(Tree, {"n_features": np.int64(3)}) is None
    assert misfit(Tree, {"n_features": True}) == "n_features"
    assert misfit(Tree, {"feature": [1]}) == "feature"


def set_to(**values):
    def change(model):
        for name, value in values.items():
            setattr(model, name, value)

    return change


WORDS = np.array([["a", "x"], ["b", "y"], ["c", "x"]] * 4, dtype=object)


@pytest.mark.parametrize(
    ("model", "change", "words"),
    [
        (
            StandardScaler().fit(X),
            set_to(mean_=np.zeros(3)),
            r"StandardScaler .* has mean_ of shape",
        ),
        (StandardScaler().fit(X), set_to(mean_=None), "no means to subtract"),
        (GaussianNB().fit(X, Y > 0), set_to(var_=np.ones((3, 2))), "has var_ of shape .3, 2."),
        (GaussianNB().fit(X, Y > 0), set_to(class_prior_=np.ones(3)), "has class_prior_ of shape"),
        (LogisticRegression().fit(X, Y > 0), set_to(intercept_=np.zeros(2)), "has intercept_ of"),
        (LogisticRegression().fit(X, Y > 0), set_to(C=-1.0), "a parameter it does not take"),
        (Ridge().fit(X, Y), set_to(intercept_="x"), "intercept_ that"),
        (KNeighborsClassifier().fit(X, Y > 0), set_to(_y=np.full((40, 1), 2)), "none of its class"),
        (KNeighborsRegressor().fit(X, Y), set_to(_y=Y[:-1]), "_y of shape .39,. for 40 rows"),
        (KNeighborsRegressor().fit(X, Y), set_to(_fit_X=X[:-1]), "rows of shape .39, 2."),
        (KNeighborsRegressor().fit(X, Y), set_to(_index=3), "an index of other rows"),
        (OneHotEncoder().fit(WORDS), set_to(_start=np.array([0, 9, 9])), "columns of no category"),
        (OneHotEncoder().fit(WORDS), set_to(categories_=[WORDS[:, 0]]), "categories_ for 1 of 2"),
        (OrdinalEncoder().fit(WORDS), set_to(_numbers=[np.zeros(1)] * 2), "no number for each"),
        (SimpleImputer().fit(X), set_to(statistics_=np.zeros(3)), "statistics_ of shape"),
        (MissingIndicator().fit(X), set_to(features_=np.array([5])), "columns there are not"),
        (PolynomialFeatures().fit(X), set_to(degree=2**40), "columns, which degree"),
        (make_pipeline(StandardScaler(), Ridge()).fit(X, Y), set_to(steps=[1.5]), "no pairs of a"),
    ],
)
def test_parts_that_do_not_fit(model, change, words, tmp_path):
    twin = copy.deepcopy(model)
    change(twin)
    with pytest.raises(ModelFileError, match=words):
        stylobate.load(twin.save(tmp_path / "model"))
    stylobate.load(model.save(tmp_path / "model"))


@pytest.mark.parametrize(
    "change",
    [
        {"sizes": np.array([2**40])},
        {"links": np.zeros((3, 4), dtype=np.uint32)},
        {"members": np.full(40, 2**31, dtype=np.uint32)},
        {"starts": np.full(41, -1)},
        {"effort": 2**60},
        {"points": np.full((40, 2), np.nan)},
    ],
)
def test_graphs_that_cannot_be_walked(change, tmp_path):
    model = KNeighborsRegressor(algorithm="hnsw").fit(X, Y)
    model._index = dataclasses.replace(model._index, **change)
    with pytest.raises(ModelFileError, match=r"graph of neighbours|an index whose parts"):
        stylobate.load(model.save(tmp_path / "model"))


def test_links_out_of_range_are_not_followed(tmp_path):
    """Links are checked as they are followed, so that rings and numbers too large end a list."""
    model = KNeighborsRegressor(algorithm="hnsw").fit(X, Y)
    for wild in (0, 41, 2**32 - 2):
        links = np.full_like(model._index.links, wild)
        model._index = dataclasses.replace(model._index, links=links)
        answers = stylobate.load(model.save(tmp_path / "model")).predict(X)
        assert ((answers >= Y.min()) & (answers <= Y.max())).all()


@pytest.mark.parametrize("algorithm", ["kd_tree", "ball_tree"])
def test_trees_of_rows_refuse_nan(algorithm, tmp_path):
    model = KNeighborsRegressor(algorithm=algorithm).fit(X, Y)
    model._index.rows = np.where(X > 1, np.nan, X)
    with pytest.raises(ModelFileError, match="no rows with NaN"):
        stylobate.load(model.save(tmp_path / "model"))


def test_arrays_between_words_are_moved():
    """Compiled code must not be handed numbers that start in the middle of a word."""
    mutations = runpy.run_path(str(Path(__file__).with_name("mutations.py")))
    document, arrays = mutations["parts_of"](StandardScaler().fit(X))
    packed = mutations["packed"](document, {"0": ("U8", np.zeros(3, dtype="u1")), **arrays})
    _, tensors = read_archive(packed)
    assert all(array.flags.aligned for array in tensors.values())


OLD = Path(__file__).parent / "format_1_0"


@pytest.mark.parametrize("name", ["tree", "forest", "boosting", "pipeline", "neighbours"])
@pytest.mark.filterwarnings("ignore:This model was saved by")
def test_files_of_earlier_versions_answer_as_they_did(name):
    """The files are those of the first version of the format; they are never written again."""
    answers = json.loads((OLD / "answers.json").read_text())
    model = stylobate.load(OLD / f"{name}.stylobate")
    rows = answers["rows"]
    found = np.asarray(model.predict(rows), dtype=float)
    np.testing.assert_allclose(found, answers[name], rtol=1e-12, atol=1e-12)


MOVED = Path(__file__).parent / "moved_classes"


@pytest.mark.parametrize("file", sorted(MOVED.glob("*.stylobate")), ids=lambda file: file.stem)
def test_files_that_name_classes_by_former_modules_answer_as_they_did(file):
    """Written before the modules of these models moved; never written again."""
    answers = json.loads((MOVED / "answers.json").read_text())
    found = np.asarray(stylobate.load(file).predict(answers["rows"]), dtype=float)
    np.testing.assert_allclose(found, answers[file.stem], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", FORMER_NAMES)
def test_former_names_lead_to_classes_of_today(name):
    assert name_of(class_named(name)) == FORMER_NAMES[name] != name


@pytest.mark.parametrize("module", FORMER_MODULES)
def test_former_modules_lead_to_those_of_today(module):
    present = importlib.import_module(FORMER_MODULES[module])
    classes = [
        kind for kind in vars(present).values() if isinstance(kind, type) and is_storable(kind)
    ]
    kept = [kind for kind in classes if name_of(kind) == f"{present.__name__}.{kind.__name__}"]
    assert kept
    assert all(class_named(f"{module}.{kind.__name__}") is kind for kind in kept)


def test_files_wrong_by_structure_do_no_harm():
    """The short form of scripts/fuzz_models: nothing crashes, hangs or starves."""
    program = Path(__file__).resolve().parents[2] / "scripts" / "fuzz_models"
    run = subprocess.run(
        [sys.executable, str(program), "250"], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    outcomes = ast.literal_eval(run.stdout.splitlines()[-1])
    assert sum(outcomes.values()) == 250
    assert outcomes["refused"] > 125
    assert outcomes["worked"] > 20
