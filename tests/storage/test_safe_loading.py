"""Files of a few kilobytes that ask for hours, gigabytes, other files or calls: refused at once."""

from __future__ import annotations

import builtins
import io
import json
import os
import subprocess
import sys
import time
import zipfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import Ridge as TheirRidge

import stylobate
from stylobate.compose import ColumnTransformer
from stylobate.ensemble import BaggingRegressor, StackingRegressor
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.feature_extraction.text import TfidfVectorizer
from stylobate.impute import KNNImputer
from stylobate.kernel_approximation import Nystroem, PolynomialCountSketch
from stylobate.linear_model import LinearRegression, Ridge, SGDClassifier
from stylobate.metrics import mean_absolute_error
from stylobate.neighbors import KernelDensity, KNeighborsRegressor
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import KBinsDiscretizer, LabelEncoder, PowerTransformer, StandardScaler
from stylobate.storage import describe
from stylobate.storage.limits import LONGEST_RANGE, most_inflated
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import fitted, problem_for

X = np.random.default_rng(0).normal(size=(40, 3))
Y = X @ [1.0, 2.0, 3.0]
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


def refused_at_once(path, words):
    began = time.process_time()
    with pytest.raises(ModelFileError, match=words):
        stylobate.load(path)
    assert time.process_time() - began < 3.0


def node(**state):
    return lambda document: document["model"]["state"].update(state)


@pytest.fixture
def ridge(tmp_path):
    return Ridge().fit(X, Y).save(tmp_path / "ridge.stylobate")


# --- random states ------------------------------------------------------------------------------


def state_of(model, tmp_path):
    with zipfile.ZipFile(model.save(tmp_path / "model")) as archive:
        return json.loads(archive.read("model.json"))["model"]["state"]["random_state"]


@pytest.mark.parametrize("pos", [2**31 - 1, 625, -1, 2**70, 1.5, None, "3"])
def test_places_outside_a_random_state(pos, tmp_path, rewritten):
    model = SGDClassifier(random_state=np.random.RandomState(0)).fit(X, Y > 0)

    def change(document):
        parts = document["model"]["state"]["random_state"]["parts"]["items"]
        parts["state"]["items"]["pos"] = pos

    refused_at_once(rewritten(model.save(tmp_path / "m"), change), "random generator")


@pytest.mark.parametrize(
    ("bits", "path", "value"),
    [
        (np.random.PCG64, ("state", "inc"), 2),
        (np.random.PCG64, ("state", "state"), 2**128),
        (np.random.PCG64, ("has_uint32",), 7),
        (np.random.PCG64DXSM, ("uinteger",), 2**32),
        (np.random.Philox, ("buffer_pos",), 100),
        (np.random.Philox, ("buffer",), [1, 2]),
        (np.random.SFC64, ("state", "state"), [0]),
        (np.random.MT19937, ("state", "key"), [1, 2, 3]),
        (np.random.MT19937, ("bit_generator",), "default_rng"),
    ],
)
@pytest.mark.parametrize("kind", [np.random.Generator, np.random.RandomState])
def test_states_that_cannot_be(bits, path, value, kind, tmp_path, rewritten):
    model = Ridge(random_state=kind(bits(3)))
    assert stylobate.load(model.save(tmp_path / "m")).random_state.normal() == (
        kind(bits(3)).normal()
    )

    def change(document):
        parts = document["model"]["state"]["random_state"]["parts"]["items"]
        for step in path[:-1]:
            parts = parts[step]["items"]
        parts[path[-1]] = value

    refused_at_once(rewritten(tmp_path / "m", change), "random generator")


# --- work, memory, other files, calls -----------------------------------------------------------


def tuples(width, height, last):
    levels = [{"is": "tuple", "entries": [1], "number": 100}]
    for number in range(101, 100 + height):
        entries = [{"is": "again", "number": number - 1}] * width
        levels.append({"is": "tuple", "entries": entries, "number": number})
    return {"is": last, "entries": levels}


def rows_of_rows(width, height):
    """Arrays of arrays: these may be shared, so the weight of what they share is counted."""
    levels = [{"is": "objects", "shape": [1], "items": [1], "number": 100}]
    for number in range(101, 100 + height):
        items = [{"is": "again", "number": number - 1}] * width
        levels.append({"is": "objects", "shape": [width], "items": items, "number": number})
    return {"is": "tuple", "entries": levels}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"is": "range", "entries": [0, 100_000_000, 1]}, "steps"),
        ({"is": "range", "entries": [0, LONGEST_RANGE + 2]}, "range"),
        (tuples(2, 40, "set"), "not complete"),
        (tuples(10, 10, "tuple"), "not complete"),
        (rows_of_rows(2, 40), "steps"),
        (rows_of_rows(10, 10), "steps"),
        ({"is": "set", "entries": [2**61 * k for k in range(1, 2000)]}, "beyond 64 bits"),
        ({"is": "Decimal", "parts": "1e999999999"}, "decimal number"),
        ({"is": "dtype", "name": "<U999999999"}, "unknown dtype"),
        ({"is": "scalar", "dtype": "|O", "value": [1]}, "dtype"),
        ({"is": "float", "text": "1_0"}, "for a number"),
    ],
)
def test_values_that_cost_far_more_than_they_weigh(value, words, ridge, rewritten):
    refused_at_once(rewritten(ridge, node(intercept_=value)), words)
    refused_at_once(rewritten(ridge, node(alpha=value)), words)


def test_empty_arrays_of_endless_shape(tmp_path, rewritten):
    model = BaggingRegressor(Ridge(), n_estimators=2, random_state=0).fit(X, Y)
    header = json.dumps({"a": {"dtype": "F64", "shape": [10**9, 0], "data_offsets": [0, 0]}})
    arrays = len(header).to_bytes(8, "little") + header.encode()

    def change(document):
        document["shapes"], document["finite"] = {"a": [10**9, 0]}, []
        state = {"estimators_features_": {"is": "array", "tensor": "a"}, "n_features_in_": 3}
        document["model"]["state"] = state

    path = rewritten(model.save(tmp_path / "m"), change, arrays=lambda stored: arrays)
    refused_at_once(path, "impossible shape")


def test_text_that_inflates_is_not_inflated(tmp_path):
    """In a process of its own, whose memory is told."""
    path = tmp_path / "bomb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b'{"a":[' + b"{}," * 1_900_000 + b"{}]}" + b" " * 50_000_000)
        archive.writestr("arrays.safetensors", b"\2" + b"\0" * 7 + b"{}", zipfile.ZIP_STORED)
    assert path.stat().st_size < 100_000
    code = f"""
import stylobate
from stylobate.storage import describe
def size():  # the peak of this program; `ru_maxrss` begins with that of whoever started it
    return int([each.split()[1] for each in open("/proc/self/status") if "VmHWM" in each][0])
import stylobate.storage.files
before = size()
for read in (stylobate.load, describe):
    try:
        read({str(path)!r})
    except stylobate.exceptions.ModelFileError as error:
        print(error)
print(size() - before)
"""
    source = str(Path(stylobate.__file__).parent.parent)
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    *words, grown = ran.stdout.split("\n")[:-1]
    assert len(words) == 2
    assert all("cannot become more than" in each for each in words)
    assert int(grown) < 50_000  # kilobytes


def test_what_shrinks_as_bombs_do_is_stored_as_it_is(tmp_path):
    model = Ridge(alpha=[["same"] * 30 for _ in range(30_000)])
    place = model.save(tmp_path / "m")
    with zipfile.ZipFile(place) as archive:
        document = archive.getinfo("model.json")
    assert document.file_size > most_inflated(0)
    assert document.compress_type == zipfile.ZIP_STORED
    assert stylobate.load(place).alpha == model.alpha


@pytest.mark.parametrize(
    "zone", ["dateutil//etc/passwd", "/etc/passwd", "../../etc/passwd", "tzlocal()", 3, ["UTC"]]
)
def test_time_zones_are_no_paths(zone, ridge, rewritten, monkeypatch):
    value = {"is": "pandas.Timestamp", "parts": [0, zone]}
    path = rewritten(ridge, node(alpha=value))
    opened, real = [], builtins.open
    monkeypatch.setattr(
        builtins,
        "open",
        lambda name, *rest, **more: opened.append(name) or real(name, *rest, **more),
    )
    refused_at_once(path, "time zone")
    assert not [name for name in opened if "passwd" in str(name)]


def test_times_and_numbers_of_other_libraries_come_back(tmp_path):
    values = [
        pd.Timestamp("2020-01-01", tz="Europe/Paris"), pd.Timestamp("2020-01-01", tz="UTC"),
        pd.Timestamp("2020-01-01T00:00+05:30"), Decimal("1.50"), Decimal("-Infinity"),
        range(LONGEST_RANGE), slice("a", "c"), slice(0, 3), np.dtype("<M8[ns]"), np.str_("a" * 99),
    ]  # fmt: skip
    for value in values:
        assert stylobate.load(Ridge(alpha=value).save(tmp_path / "m")).alpha == value


@pytest.mark.parametrize("value", [range(10**8), Decimal("1e999999")])
def test_what_could_not_be_loaded_is_not_saved(value, tmp_path):
    with pytest.raises(ModelFileError, match="Ridge: alpha is a"):
        Ridge(alpha=value).save(tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_loading_calls_no_function_of_the_file(tmp_path):
    model = KNeighborsRegressor(metric=mean_absolute_error, algorithm="ball_tree").fit(X, Y)
    assert type(model._index).__name__ == "CallableTree"
    place, expected = model.save(tmp_path / "m"), model.predict(X)
    calls, code = [], mean_absolute_error.__code__

    def profile(frame, event, _):
        if event == "call" and frame.f_code is code:
            calls.append(frame)

    sys.setprofile(profile)
    try:
        loaded = stylobate.load(place)
    finally:
        sys.setprofile(None)
    assert not calls
    assert np.array_equal(loaded.predict(X), expected)


# --- what is missing or changed -----------------------------------------------------------------

LABELS = ("LabelBinarizer", "LabelEncoder", "MultiLabelBinarizer")


@pytest.mark.filterwarnings("ignore::stylobate.exceptions.StylobateWarning")
@pytest.mark.parametrize("kind", all_estimators(), ids=lambda kind: kind.__name__)
def test_nothing_learnt_can_be_lost_or_become_something_else(kind, tmp_path, rewritten, in_sample):
    example = example_of(kind)
    if kind.__name__ in LABELS:
        model = example.fit([["a"], ["b"]] if kind.__name__[0] == "M" else ["a", "b"])
    else:
        problem = problem_for(example)
        model = fitted(example, problem.X, problem.y)
    place = model.save(tmp_path / "m")
    names = [name for name in vars(model) if name.endswith("_") or name.startswith("_")]
    for name in names:
        for way, change in (
            ("lost", lambda d, n=name: d["model"]["state"].pop(n) and None),
            ("something else", node(**{name: {"is": "ellipsis"}})),
        ):
            if in_sample(f"{kind.__name__}.{name} {way}", 2):
                with pytest.raises(ModelFileError):
                    stylobate.load(rewritten(place, change))


def forged(change):
    """The change in a file that says nothing of what was learnt, as those of format 1.0."""

    def both(document):
        document["format_version"] = [1, 0]
        texts = [document["model"]]
        while texts:
            each = texts.pop()
            if isinstance(each, dict):
                each.pop("learnt", None)
                texts += each.values()
            elif isinstance(each, list):
                texts += each
        change(document["model"]["state"])

    return both


def lost(name):
    return lambda state: state.pop(name)


def of_columns():
    parts = [("one", StandardScaler(), ["a"]), ("two", StandardScaler(), ["b", "c"])]
    return ColumnTransformer(parts).fit(FRAME)


def swapped(state):
    first, second = (each["state"] for each in state["_plan"][:2])
    first["positions"], second["positions"] = second["positions"], first["positions"]


def stacked(**changes):
    models = [("a", Ridge()), ("b", LinearRegression())]
    return StackingRegressor(models).fit(X, Y)


def no_rows(state):
    state["_rows"] = {"is": "objects", "shape": [0, 3], "items": []}


OTHER_TERMS = {"is": "dict", "items": {"tea": 9}}


def texts():
    return TfidfVectorizer().fit(["tea and coffee", "tea"])


@pytest.mark.parametrize(
    ("model", "change", "words"),
    [
        (Nystroem(n_components=5).fit(X), lost("components_"), "lacks components_"),
        (StandardScaler().fit(X), lost("n_features_in_"), "lacks n_features_in_"),
        (texts(), lambda s: s.update(_tfidf=[]), "_tfidf that is a list"),
        (texts(), lambda s: s.update(vocabulary_=OTHER_TERMS), "vocabulary without its columns"),
        (KNNImputer().fit(X), lost("_rows"), "lacks _rows"),
        (KNNImputer().fit(X), no_rows, "KNNImputer"),
        (PowerTransformer().fit(X), lambda s: s.update(_scaler=3), "_scaler that is a int"),
        (KernelDensity().fit(X), lost("_sums"), "lacks _sums"),
        (KernelDensity().fit(X), lambda s: s.update(_total=3.0), "another sum"),
        (LabelEncoder().fit(["a", "b"]), lambda s: s.update(classes_=None), "no list of classes"),
        (stacked(), lambda s: s.update(stack_method_=["predict"]), "methods they have not"),
        (stacked(), lambda s: s.update(stack_method_=["predict", "fit"]), "methods they have not"),
        (of_columns(), swapped, "gives 2 columns to 'one'"),
    ],
)  # fmt: skip
def test_forged_files_of_the_first_version(model, change, words, tmp_path, rewritten):
    place = model.save(tmp_path / "m")
    refused_at_once(rewritten(place, forged(change)), words)
    assert stylobate.load(rewritten(place, forged(lambda state: None))) is not None


def test_names_of_columns_are_those_of_their_places(tmp_path, rewritten):
    parts = [("one", StandardScaler(), ["a"]), ("two", StandardScaler(), ["b"])]
    place = ColumnTransformer(parts).fit(FRAME).save(tmp_path / "m")
    refused_at_once(rewritten(place, forged(swapped)), "other columns for 'one' than it names")


@pytest.mark.parametrize("edges", [[0.0, 2.0, 1.0], [0.0, np.nan, 1.0], [1.0, 1.0, 2.0]])
def test_edges_that_do_not_rise(edges, tmp_path):
    model = KBinsDiscretizer(2).fit(X)
    model.bin_edges_[0] = np.array(edges)
    refused_at_once(model.save(tmp_path / "m"), "edges of other bins")


def test_sketches_stay_within_their_columns(tmp_path):
    model = PolynomialCountSketch(n_components=5, random_state=0).fit(X)
    with pytest.raises(InvalidParameterError, match="was changed since the fit"):
        model.set_params(n_components=2).transform(X)
    model.set_params(n_components=5).indexHash_[0, 0] = 10**9
    refused_at_once(model.save(tmp_path / "m"), "hashes of another degree")


# --- bytes, open files, other libraries ---------------------------------------------------------


def test_bytes_and_open_files(tmp_path):
    model = Ridge().fit(X, Y)
    place = model.save(tmp_path / "m")
    content = place.read_bytes()

    class OnlyForward(io.RawIOBase):
        def __init__(self):
            self.left = content

        def readable(self):
            return True

        def read(self, size=-1):
            given, self.left = self.left, b""
            return given

    with place.open("rb") as stream:
        for source in (content, bytearray(content), io.BytesIO(content), stream, OnlyForward()):
            assert np.array_equal(stylobate.load(source).coef_, model.coef_)
    assert describe(io.BytesIO(content)) == describe(place) == describe(content)
    with pytest.raises(ModelFileError, match="The BytesIO given cannot be loaded"):
        stylobate.load(io.BytesIO(b"no model"))
    with pytest.raises(ModelFileError, match="The content given cannot be loaded"):
        stylobate.load(b"no model")
    with pytest.raises(ModelFileError, match="mode 'rb'"):
        stylobate.load(io.StringIO("x"))
    with pytest.raises(ModelFileError, match="got a int"):
        stylobate.load(3)


def test_steps_of_scikit_learn_are_refused_with_a_remedy(tmp_path):
    with pytest.raises(ModelFileError, match=r"Use stylobate\.linear_model\.Ridge instead, or"):
        make_pipeline(StandardScaler(), TheirRidge()).fit(X, Y).save(tmp_path / "m")
    with pytest.raises(ModelFileError, match=r"Use one of ours instead, or keep .* joblib"):
        make_pipeline(StandardScaler(), GaussianProcessRegressor()).save(tmp_path / "m")
