"""scikit-learn's classes answered by ours: the same attributes, types and predictions, and back."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model, svm
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.decomposition import PCA
from sklearn.linear_model import Lasso, LassoCV, Ridge
from sklearn.utils.parallel import Parallel, delayed

import stylobate
from stylobate.accelerate.switch import SUPPORTED, difference
from stylobate.accelerate.table import ADAPTERS
from stylobate.exceptions import InvalidParameterError, StylobateWarning

draw = np.random.default_rng(0)
X = draw.normal(size=(21_000, 10))
LINE = X @ draw.normal(size=10) + draw.normal(size=len(X))
CLASSES = np.array(["low", "high"])[(LINE > 0).astype(int)]
WIDE = draw.normal(size=(20_000, 100)) * np.geomspace(1.0, 10.0, 100)
WORDS = ["apple", "Bear", "cat!", "dog's", "élan", "a", "the", "x1"]
TEXTS = [" ".join(draw.choice(WORDS, 8)) for _ in range(300)]
CASES = {  # parameters, rows where not all, target
    "LinearRegression": ({}, None, LINE),
    "Ridge": ({}, None, LINE),
    "RidgeCV": ({}, None, LINE),
    "Lasso": ({"alpha": 0.1}, None, LINE),
    "ElasticNet": ({"alpha": 0.1}, None, LINE),
    "LassoCV": ({"alphas": 20}, 500, LINE),
    "ElasticNetCV": ({"alphas": 20, "l1_ratio": [0.3, 0.9]}, 500, LINE),
    "HuberRegressor": ({"tol": 1e-8, "max_iter": 1000}, 40_000, LINE),
    "QuantileRegressor": ({"alpha": 0.01}, 400, LINE),
    "LogisticRegression": ({"tol": 1e-8}, None, CLASSES),
    "GaussianNB": ({}, None, CLASSES),
    "LinearDiscriminantAnalysis": ({}, None, CLASSES),
    "QuadraticDiscriminantAnalysis": ({}, None, CLASSES),
    "KernelRidge": ({"kernel": "rbf"}, 400, LINE),
    "DBSCAN": ({"eps": 2.0}, 2000, None),
    "AgglomerativeClustering": ({"n_clusters": 4}, 2000, None),
    "PCA": ({"n_components": 5, "svd_solver": "full"}, "wide", None),
    "SVC": ({"tol": 1e-6}, 1100, CLASSES),
    "SVR": ({"tol": 1e-6}, 1100, LINE),
    "LinearSVC": ({"tol": 1e-9, "max_iter": 10_000}, None, CLASSES),
    "CountVectorizer": ({"ngram_range": (1, 2), "min_df": 2}, "texts", None),
    "TfidfVectorizer": ({"max_features": 4}, "texts", None),
}


def rows_of(size):
    if size == "texts":
        return TEXTS
    if size == "wide":
        return WIDE
    return np.tile(X, (2, 1))[:size] if size else X


def fitted(model, method, rows, target):
    told = getattr(clone(model), "fit_transform" if method != "fit" and target is None else "fit")
    given = (rows,) if target is None else (rows, np.tile(target, 2)[: len(rows)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return told.__self__, told(*given)


def assert_alike(ours, theirs, tolerance=1e-4):
    """Attributes of one name, type, dtype, shape; numbers up to a tolerance and signs."""
    assert vars(ours).keys() == vars(theirs).keys()
    for name, value in vars(theirs).items():
        mine = getattr(ours, name)
        assert type(mine) is type(value), name
        if isinstance(value, np.ndarray) and name not in ("n_iter_", "_num_iter"):
            assert mine.dtype == value.dtype, name
            assert mine.shape == value.shape, name
            if value.dtype.kind == "f":
                assert difference(np.abs(mine), np.abs(value)) < tolerance, name


def test_every_class_has_a_case():
    assert set(CASES) == set(stylobate.accelerate.names())


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda each: f"{each.name}.{each.method}")
def test_as_scikit_learn_leaves_it(adapter):
    parameters, size, target = CASES[adapter.name]
    model = getattr(import_module(f"sklearn.{adapter.home}"), adapter.name)(**parameters)
    rows = rows_of(size)
    theirs, their_answer = fitted(model, adapter.method, rows, target)
    with stylobate.accelerate() as active:
        ours, our_answer = fitted(model, adapter.method, rows, target)
        last = active.report().calls[-1]
    assert last.ours, last.why
    assert (last.name, last.method) == (adapter.name, adapter.method)
    if adapter.name not in ("SVC", "SVR"):  # a vector at the margin may be in either set
        assert_alike(ours, theirs, 0.01 if adapter.name.endswith("CV") else 1e-4)
    for name in ("decision_function", "predict"):
        if target is not None and hasattr(theirs, name):
            mine, other = getattr(ours, name)(X[:500]), getattr(theirs, name)(X[:500])
            assert mine.dtype == other.dtype
            assert np.mean(mine == other) > 0.99 or difference(mine, other) < 1e-3
    if sparse.issparse(their_answer):
        np.testing.assert_allclose(our_answer.toarray(), their_answer.toarray(), rtol=1e-12)
        assert ours.vocabulary_ == theirs.vocabulary_
    elif isinstance(their_answer, np.ndarray):
        assert difference(our_answer, their_answer) < 1e-8
    assert b"stylobate" not in pickle.dumps(ours)


def test_left_to_scikit_learn_with_the_reason():
    class Mine(Ridge):
        pass

    with stylobate.accelerate(only=["Ridge", "Lasso"]) as active:
        before = len(active.report().calls)
        Ridge(solver="sag", tol=0.1).fit(X, LINE)
        Ridge().fit(X.astype(np.float32), LINE)
        Ridge().fit(sparse.csr_array(X), LINE)
        Ridge().fit(X[:10], LINE[:10])
        Lasso(selection="random").fit(X, LINE)
        Mine().fit(X, LINE)
        LassoCV(alphas=3).fit(X[:500], LINE[:500])
        calls = active.report().calls[before:]
    why = [call.why for call in calls]
    assert why[:5] == [
        "solver='sag'", "rows of float32", "sparse rows", "few rows", "selection='random'",
    ]  # fmt: skip
    assert [call.name for call in calls[5:]] == ["Lasso"]  # of LassoCV; subclasses are left alone
    assert not any(call.ours for call in calls)


@pytest.mark.parametrize(
    ("model", "rows", "target"),
    [
        (Ridge(alpha=-1.0), X, LINE),
        (Ridge(), np.where(np.arange(len(X))[:, None] == 5, np.nan, X), LINE),
        (Ridge(), X, LINE[:-1]),
        (linear_model.LogisticRegression(), X, np.zeros(len(X))),
        (svm.LinearSVC(), X, LINE),
        (PCA(n_components=11), np.tile(X, (10, 1)), None),
        (DBSCAN(eps=-1.0), X, None),
    ],
    ids=lambda each: type(each).__name__,
)
def test_errors_are_scikit_learns(model, rows, target):
    def error():
        with pytest.raises(ValueError, match=r"\w") as told:
            clone(model).fit(rows, target)
        return type(told.value), str(told.value)

    theirs = error()
    with stylobate.accelerate():
        assert error() == theirs


def test_undone_exactly():
    def methods():
        return {
            (adapter.name, adapter.method): vars(
                getattr(import_module(f"sklearn.{adapter.home}"), adapter.name)
            ).get(adapter.method)
            for adapter in ADAPTERS
        }

    before = methods()
    stylobate.accelerate(only="Ridge")
    with stylobate.accelerate() as inner:
        assert len(inner.names) >= 20
        assert methods() != before
    assert Ridge.fit is not before["Ridge", "fit"]  # as it was when the block began
    assert LassoCV.fit is before["LassoCV", "fit"]
    stylobate.accelerate.undo()
    assert methods() == before
    stylobate.accelerate.undo()


def test_weights_and_frames():
    import pandas as pd

    weights = draw.uniform(0.5, 2.0, len(X))
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(10)])
    theirs = Ridge().fit(frame, LINE, sample_weight=weights)
    with stylobate.accelerate() as active:
        ours = Ridge().fit(frame, LINE, sample_weight=weights)
        assert active.report().calls[-1].ours
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    assert list(ours.feature_names_in_) == list(frame.columns)


def test_measured():
    with stylobate.accelerate(only=["Ridge"], measure=True) as active:
        Ridge().fit(X, LINE)
        call = active.report().calls[-1]
    assert call.theirs is not None
    assert call.theirs > 0.0
    assert call.difference is not None
    assert call.difference < 1e-10
    assert "differs by" in str(active.report())
    assert active.report().to_dict()["answered"] == active.report().answered


def _is_accelerated():
    return Ridge.fit.__code__.co_filename.endswith("switch.py")


def test_processes_inherit_it():
    with Parallel(n_jobs=2) as pool:
        with stylobate.accelerate(only=["Ridge"]):
            assert pool(delayed(_is_accelerated)() for _ in range(2)) == [True, True]
        assert pool(delayed(_is_accelerated)() for _ in range(2)) == [False, False]


def test_refusals(monkeypatch):
    with pytest.raises(InvalidParameterError, match="did you mean 'Ridge'"):
        stylobate.accelerate(only=["Rigde"])
    with pytest.raises(InvalidParameterError, match="can be accelerated; there are"):
        stylobate.accelerate.conditions("zzz")
    monkeypatch.setattr("sklearn.__version__", "0.1.0")
    with pytest.warns(StylobateWarning, match="was not tested; nothing is accelerated"):
        active = stylobate.accelerate()
    assert active.names == []
    assert "0.1" not in SUPPORTED


def test_a_script_unchanged(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nimport numpy as np\nfrom sklearn.linear_model import Ridge\n"
        "X = np.random.default_rng(0).normal(size=(20_000, 10))\n"
        "print(Ridge().fit(X, X[:, 0]).coef_[0].round(3), sys.argv[1:])\n"
    )
    command = [sys.executable, "-m", "stylobate.accelerate"]
    told = subprocess.run(
        [*command, "--report", str(script), "--flag"], capture_output=True, text=True, check=True
    )
    assert told.stdout == "1.0 ['--flag']\n"
    assert "1 of 1 calls were answered by Stylobate" in told.stderr
    missing = subprocess.run([*command, "nowhere.py"], capture_output=True, text=True)
    assert missing.returncode == 2
    assert "there is no file" in missing.stderr


def test_the_same_words_are_stopped():
    from sklearn.feature_extraction.text import CountVectorizer

    texts = ["bill of the computer isn't just inside a fire"] * 300
    expected = CountVectorizer(stop_words="english").fit(texts).vocabulary_
    with stylobate.accelerate() as active:
        found = CountVectorizer(stop_words="english").fit(texts).vocabulary_
        assert active.report().calls[-1].ours
    assert found == expected
