"""Every estimator goes to a file and comes back the same."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load as load_safetensors
from scipy import sparse, stats

import stylobate
from stylobate.compose import ColumnTransformer, make_column_selector
from stylobate.datasets import load_penguins, load_titanic
from stylobate.exceptions import ModelFileError, StylobateWarning
from stylobate.feature_extraction.text import TfidfVectorizer
from stylobate.feature_selection import SelectKBest, f_classif
from stylobate.impute import SimpleImputer
from stylobate.kernels import RBF
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.metrics import make_scorer, mean_absolute_error
from stylobate.model_selection import GridSearchCV, KFold, RandomizedSearchCV
from stylobate.neighbors import KNeighborsRegressor
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
    TableEncoder,
)
from stylobate.storage import describe
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import answers, fitted, problem_for
from stylobate.testing.sameness import assert_same

FITTED_BY_LABELS = {
    "LabelBinarizer": ["a", "b", "c"],
    "LabelEncoder": ["a", "b", "c"],
    "MultiLabelBinarizer": [["a", "b"], ["c"]],
}


def again(estimator, folder):
    return stylobate.load(estimator.save(folder / "model.stylobate"))


def same_value(left, right):
    """Whether two values are the same in type and content, however nested."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        if left.dtype != right.dtype or left.shape != right.shape:
            return False
        if left.dtype.kind == "O":
            return all(map(same_value, left.ravel().tolist(), right.ravel().tolist()))
        return left.tobytes() == right.tobytes()
    if isinstance(left, dict):
        return list(left) == list(right) and all(same_value(left[k], right[k]) for k in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same_value, left, right))
    if hasattr(left, "get_params"):
        return repr(left) == repr(right)
    if isinstance(left, float) and left != left:
        return right != right
    return repr(left) == repr(right)


@pytest.mark.filterwarnings("ignore::stylobate.exceptions.StylobateWarning")
@pytest.mark.parametrize("kind", all_estimators(), ids=lambda kind: kind.__name__)
def test_every_estimator_comes_back_the_same(kind, tmp_path):
    estimator = example_of(kind)
    labels = FITTED_BY_LABELS.get(kind.__name__)
    if labels is not None:
        model = estimator.fit(labels)
        assert same_value(model.transform(labels), again(model, tmp_path).transform(labels))
        return
    problem = problem_for(estimator)
    model = fitted(estimator, problem.X, problem.y)
    loaded = again(model, tmp_path)
    expected = answers(model, problem.X)
    if kind.__name__ == "NearestNeighbors":
        assert same_value(loaded.kneighbors(problem.X), model.kneighbors(problem.X))
    else:
        assert expected
    assert_same(expected, answers(loaded, problem.X))
    assert repr(loaded) == repr(model)
    before, after = model.get_params(), loaded.get_params()
    assert all(same_value(before[name], after[name]) for name in before)
    assert vars(loaded).keys() == vars(model).keys()
    assert again(estimator, tmp_path).get_params().keys() == estimator.get_params().keys()


def titanic():
    X, y = load_titanic(return_X_y=True, as_frame=True)
    return X, y


@pytest.fixture
def pipeline():
    X, y = titanic()
    return make_pipeline(TableEncoder(scale=True), LogisticRegression()).fit(X, y), X


def test_a_pipeline_of_a_whole_table(pipeline, tmp_path):
    model, X = pipeline
    loaded = again(model, tmp_path)
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    told = describe(tmp_path / "model.stylobate")
    assert [each["name"] for each in told["schema"]["features"]] == list(X.columns)
    assert told["schema"]["features"][0]["kind"]
    assert told["estimator"].startswith("Pipeline(")


def test_columns_selectors_and_selection(tmp_path):
    X, y = load_penguins(target="species", return_X_y=True, as_frame=True)
    text = make_column_selector(dtype_include=object)
    model = make_pipeline(
        ColumnTransformer(
            [("text", OneHotEncoder(handle_unknown="ignore"), text)], remainder=SimpleImputer()
        ),
        SelectKBest(f_classif, k=3),
        LogisticRegression(),
    )
    X = X.astype({name: object for name in X.columns if X[name].dtype.kind not in "fi"})
    model.fit(X, y)
    assert np.array_equal(again(model, tmp_path).predict_proba(X), model.predict_proba(X))


def test_a_search_with_its_results(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 3)), rng.standard_normal(40)
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    for search in (
        GridSearchCV(
            Ridge(),
            {"alpha": [0.1, 1.0]},
            cv=KFold(3, shuffle=True, random_state=1),
            scoring=scorer,
        ),
        RandomizedSearchCV(
            Ridge(), {"alpha": stats.loguniform(0.1, 10)}, n_iter=3, random_state=0, cv=3
        ),
    ):
        loaded = again(search.fit(X, y), tmp_path)
        assert np.array_equal(loaded.predict(X), search.predict(X))
        assert loaded.best_params_ == search.best_params_
        assert same_value(
            loaded.cv_results_["mean_test_score"], search.cv_results_["mean_test_score"]
        )
        assert loaded.fit(X, y).best_params_ == search.best_params_


@pytest.mark.parametrize(
    "column",
    [
        ["b", "a", "naïve 'x'", "\U0001f600"],
        ["b", None, "a", "b"],
        ["b", float("nan"), "a", "\udc80"],
        np.array(["2020-01-01", "NaT", "2021-05-05", "2020-01-01"], dtype="M8[ns]"),
        np.array([3, 1, 2, 1], dtype=np.int8),
        [True, False, True, True],
        [datetime.date(2020, 1, 2), datetime.date(2019, 1, 2)] * 2,
    ],
    ids=["text", "None", "nan", "datetime", "int8", "bool", "date"],
)
def test_categories_of_every_kind(column, tmp_path):
    X = np.array(column, dtype=object if isinstance(column, list) else None)[:, None]
    for encoder in (OneHotEncoder(sparse_output=False), OrdinalEncoder()):
        try:
            model = encoder.fit(X)
        except (TypeError, ValueError):
            pytest.skip("not a kind of category this encoder takes")
        loaded = again(model, tmp_path)
        assert same_value(loaded.categories_, model.categories_)
        assert np.array_equal(loaded.transform(X), model.transform(X), equal_nan=True)


def test_texts_and_many_terms(tmp_path):
    texts = [f"word{i} naïve 日本語{i % 7}" for i in range(300)]
    model = TfidfVectorizer().fit(texts)
    loaded = again(model, tmp_path)
    assert list(loaded.vocabulary_.items()) == list(model.vocabulary_.items())
    assert (loaded.transform(texts) != model.transform(texts)).nnz == 0


def test_sparse_rows_random_states_and_kernels(tmp_path):
    rows = sparse.csr_array(np.eye(6))
    model = KNeighborsRegressor(2).fit(rows, np.arange(6.0))
    assert np.array_equal(again(model, tmp_path).predict(rows), model.predict(rows))
    state = np.random.RandomState(3)
    state.standard_normal(5)
    kept = again(Ridge(random_state=state), tmp_path).random_state
    assert kept.standard_normal() == state.standard_normal()
    kernel = RBF(gamma=0.5) + 2.0
    assert again(Ridge(solver=kernel), tmp_path).solver(np.eye(2), np.eye(2)).shape == (2, 2)


def test_odd_values_of_parameters(tmp_path):
    values = [
        (1, "a", None),
        {1: "x", (2, 3): [4.0]},
        {"k": {"deep": [1, 2]}},
        {3, 1, 2},
        frozenset("ab"),
        slice(1, None),
        range(3),
        2 + 3j,
        b"\x00\xff",
        float("inf"),
        -0.0,
        np.float32(0.1),
        np.int8(-3),
        np.datetime64("2020-01-01", "D"),
        np.str_("ü"),
        np.bool_(True),
        np.dtype("float32"),
        np.float32,
        int,
        np.log1p,
        mean_absolute_error,
        10**40,
        np.arange(6).reshape(2, 3).T,
        np.array([1 + 2j]),
        np.array([b"ab", b"c"]),
        np.array([["a", "bcd"]]),
        np.array(7.5),
        np.empty((0, 3)),
        np.array([], dtype="U3"),
        np.array(["2020"], dtype="M8[Y]"),
        np.float16([1.5]),
        np.array([1, 2], dtype=">i4"),
        np.ma.masked_array([1.0, 2.0], [True, False]),
        datetime.timedelta(days=1),
        pd.Timestamp("2020-01-01", tz="Europe/Paris"),
        pd.NA,
        list(range(100)),
        [float(i) for i in range(100)],
        [str(i) for i in range(100)],
        {f"k{i}": i for i in range(100)},
    ]
    for value in values:
        kept = again(Ridge(alpha=value), tmp_path).alpha
        if isinstance(value, np.ndarray) and value.dtype.byteorder == ">":
            assert np.array_equal(kept, value)
        else:
            assert same_value(value, kept), value


def test_what_occurs_twice_is_one_object(tmp_path):
    inner = Ridge()
    shared = np.arange(3.0)
    names = np.array([f"column {i}" for i in range(50)], dtype=object)
    model = Ridge(alpha=[inner, inner, shared, shared, names, names])
    kept = again(model, tmp_path).alpha
    assert kept[0] is kept[1]
    assert kept[2] is kept[3]
    assert kept[4] is kept[5]


def test_the_arrays_are_safetensors_and_the_same_model_gives_the_same_bytes(pipeline, tmp_path):
    model, _ = pipeline
    first, second = tmp_path / "a", tmp_path / "b"
    model.save(first)
    stylobate.save(model, second)
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert archive.namelist() == ["model.json", "arrays.safetensors"]
        tensors = load_safetensors(archive.read("arrays.safetensors"))
    coef = next(array for name, array in tensors.items() if name.endswith("coef_"))
    assert np.array_equal(coef, model[-1].coef_)


def test_functions_of_others_are_refused_by_the_name_of_the_parameter(tmp_path):
    place = tmp_path / "model.stylobate"
    for model, words in [
        (FunctionTransformer(lambda x: x), "FunctionTransformer: func is the function"),
        (
            make_pipeline(StandardScaler(), FunctionTransformer(os.system)),
            "func is the function system",
        ),
        (Ridge(alpha=print), "Ridge: alpha is the function print"),
        (Ridge(alpha={"a": [object()]}), r"Ridge: alpha\[a\]\[0\] is a object"),
        (Ridge(alpha=pd.DataFrame({"a": [1]})), "Ridge: alpha is a DataFrame of pandas"),
        (Ridge(alpha=stylobate.read), "Ridge: alpha is the function read"),
    ]:
        with pytest.raises(ModelFileError, match=words):
            model.save(place)
        assert not list(tmp_path.iterdir())
    looped: list = []
    looped.append(looped)
    for model in (Ridge(alpha=looped),):
        with pytest.raises(ModelFileError):
            model.save(place)
    circle = Ridge()
    circle.alpha = circle
    with pytest.raises(ModelFileError, match="part of itself"):
        circle.save(place)
    from sklearn.linear_model import Ridge as Theirs

    for value in (Theirs(), Ridge, 3):
        with pytest.raises(ModelFileError, match="save takes an estimator of stylobate"):
            stylobate.save(value, place)
    model = make_pipeline(StandardScaler(), Theirs())
    with pytest.raises(ModelFileError, match=r"steps\[1\]\[1\] is a Ridge of sklearn"):
        model.save(place)


def test_nothing_half_written_is_left(tmp_path):
    model = Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    place = model.save(tmp_path / "model.stylobate")
    before = place.read_bytes()
    with pytest.raises(ModelFileError, match="is a folder"):
        model.save(tmp_path)
    with pytest.raises(ModelFileError, match="No such file or directory"):
        model.save(tmp_path / "nowhere" / "x")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="not a file that could be replaced"):
        model.save(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="is not a file"):
        stylobate.load(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="There is no file"):
        stylobate.load(tmp_path / "missing")
    (tmp_path / "pipe").unlink()
    # a limit on the size of files stands for a disk without room
    code = f"""
import resource
from stylobate.linear_model import Ridge
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    Ridge(alpha=[0.5] * 1000).save({str(place)!r})
except ValueError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cannot be written" in ran.stdout
    assert "File too large" in ran.stdout
    assert place.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["model.stylobate"]


def test_other_versions_are_told(tmp_path, rewritten):
    model = Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    place = model.save(tmp_path / "model.stylobate")

    def older(document):
        document["stylobate"] = "0.0.1"
        document["colour"] = "unknown optional fields are ignored"

    with pytest.warns(StylobateWarning, match=r"saved by stylobate 0\.0\.1"):
        assert np.array_equal(stylobate.load(rewritten(place, older)).coef_, model.coef_)

    def minor(document):
        document["format_version"] = [1, 9]
        document["model"]["state"]["shininess"] = 3
        document["model"]["state"]["certificate_"]["state"]["glow"] = 1
        del document["model"]["state"]["tol"]

    with pytest.warns(StylobateWarning, match=r"left out: Certificate\.glow, Ridge\.shininess"):
        loaded = stylobate.load(rewritten(place, minor, members=[("more.bin", b"x")]))
    assert loaded.tol == Ridge().tol
    with pytest.raises(ModelFileError, match="version 2 of the format"):
        stylobate.load(rewritten(place, lambda document: document.update(format_version=[2, 0])))


def test_what_a_file_says_of_itself(tmp_path):
    model = LogisticRegression().fit(pd.DataFrame({"age": [1.0, 2.0, 3.0]}), ["no", "yes", "yes"])
    place = stylobate.save(model, tmp_path / "m", about={"target": "survived"})
    told = describe(place)
    assert told["about"] == {"target": "survived"}
    assert told["schema"] == {
        "n_features": 1,
        "features": [{"name": "age", "kind": "numeric", "dtype": "float64"}],
        "classes": ["no", "yes"],
    }
    json.dumps(told)
    with pytest.raises(ModelFileError, match="about must hold plain values"):
        stylobate.save(model, place, about={"x": object()})
