"""Damaged and hostile files: refused in a sentence, or read as they were; nothing else happens."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import struct
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stylobate
from stylobate.datasets import load_penguins
from stylobate.exceptions import ModelFileError
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder
from stylobate.storage.archive import write_archive
from stylobate.storage.files import load_stream
from stylobate.storage.names import modules
from stylobate.tree import DecisionTreeRegressor


def _model():
    X, y = load_penguins(target="species", return_X_y=True, as_frame=True)
    return make_pipeline(TableEncoder(), LogisticRegression(max_iter=1000)).fit(X, y), X


MODEL, X = _model()
EXPECTED = MODEL.predict_proba(X)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return MODEL.save(tmp_path_factory.mktemp("models") / "model.stylobate")


def equal_or_refused(content: bytes) -> bool:
    """Whether the bytes load; then the model must be the one that was saved."""
    try:
        loaded = load_stream(io.BytesIO(content))
    except ModelFileError:
        return False
    assert np.array_equal(loaded.predict_proba(X), EXPECTED)
    return True


@settings(max_examples=150)
@given(data=st.data())
def test_flipped_bytes(whole, data):
    content = bytearray(whole.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= data.draw(st.integers(1, 255))
    equal_or_refused(bytes(content))


@settings(max_examples=60)
@given(data=st.data())
def test_damaged_ends_and_middles(whole, data):
    content = whole.read_bytes()
    # most of the structure of an archive is in its last bytes
    place = len(content) - 1 - data.draw(st.integers(0, 250))
    changed = bytearray(content)
    changed[place] ^= data.draw(st.integers(1, 255))
    equal_or_refused(bytes(changed))


@settings(max_examples=60)
@given(data=st.data())
def test_cut_and_glued(whole, data):
    content = whole.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, len(content)))
    assert not equal_or_refused(content[:start]) or start == len(content)
    equal_or_refused(content[:start] + content[stop:])
    equal_or_refused(content[:start] + data.draw(st.binary(max_size=20)) + content[start:])


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(allow_nan=False),
        st.text(max_size=5),
        st.sampled_from(["array", "object", "again", "is", "texts", "tensor", "<f8", "sparse"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["is", "entries", "parts", "class", "state"]), inner),
    ),
    max_leaves=6,
)


def _places(node, path=()):
    """Every place in a document."""
    yield path
    if isinstance(node, dict | list):
        inner = node.items() if isinstance(node, dict) else enumerate(node)
        for key, each in inner:
            yield from _places(each, (*path, key))


@settings(max_examples=250)
@given(data=st.data())
def test_documents_with_other_values(data):
    text, tensors = _parts()
    document = json.loads(text)
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(_places(document))[1:]))
        holder = document
        for step in path[:-1]:
            holder = holder[step]
        action = data.draw(st.sampled_from(["replace", "delete", "swap"]))
        if action == "delete":
            del holder[path[-1]]
        elif action == "replace":
            holder[path[-1]] = data.draw(VALUES)
        else:
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            other = data.draw(st.sampled_from(list(keys)))
            holder[path[-1]], holder[other] = holder[other], holder[path[-1]]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("model.json", json.dumps(document))
        archive.writestr("arrays.safetensors", tensors)
    with contextlib.suppress(ModelFileError, stylobate.exceptions.StylobateWarning):
        load_stream(stream)


def _parts(cache=[]):  # noqa: B006
    if not cache:
        import tempfile
        from pathlib import Path

        with tempfile.TemporaryDirectory() as folder:
            place = MODEL.save(Path(folder) / "m")
            with zipfile.ZipFile(place) as archive:
                cache += [archive.read("model.json"), archive.read("arrays.safetensors")]
    return cache


def refused(path, words):
    with pytest.raises(ModelFileError, match=words):
        stylobate.load(path)


@pytest.fixture
def place(tmp_path):
    model = Ridge()
    model.aliased_ = [f"text {i}" for i in range(50)]
    model.coef_ = np.array([1.0, 2.0])
    model.intercept_ = 0.5
    model.n_features_in_ = 2
    return model.save(tmp_path / "ridge.stylobate")


def test_not_archives_at_all(tmp_path):
    for content in (b"", b"PK", b"hello" * 100, b"PK\x05\x06" + b"\0" * 18, bytes(10_000)):
        path = tmp_path / "x"
        path.write_bytes(content)
        refused(path, "cannot be loaded")


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "a/b", "c:\\x", "..", ".hidden", "model.json", "in\nside"],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_play_tricks(name, place, rewritten):
    refused(rewritten(place, members=[(name, b"x")]), "archive holds")


def test_links_and_encrypted_members(place, rewritten, tmp_path):
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    refused(rewritten(place, members=[(link, b"/etc/passwd")]), "link or encrypted")


def test_thousands_of_members_are_not_even_listed(place, rewritten):
    many = [(f"m{i}", b"") for i in range(3000)]
    path = rewritten(place, members=many)
    tracemalloc.start()
    refused(path, "members")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_an_archive_in_an_archive_stays_shut(place, rewritten):
    inner = place.read_bytes()
    loaded = stylobate.load(rewritten(place, members=[("inner.zip", inner)]))
    assert isinstance(loaded, Ridge)
    refused(rewritten(place, arrays=lambda stored: inner), "cannot be loaded")


def test_bombs_cost_little(tmp_path):
    path = tmp_path / "bomb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("model.json", "w", force_zip64=True) as member:
            for _ in range(100):
                member.write(b" " * 2**20)
        archive.writestr("arrays.safetensors", b"")
    tracemalloc.start()
    refused(path, "claims")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b"{}")
        archive.writestr("arrays.safetensors", bytes(2**22))  # compressed: never ours
    refused(path, "claims more bytes")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b"[" * 2_100_000)
        archive.writestr("arrays.safetensors", header({}), zipfile.ZIP_STORED)
    tracemalloc.reset_peak()
    refused(path, "too many parts")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def header(contents, tail=b""):
    text = json.dumps(contents).encode()
    return struct.pack("<Q", len(text)) + text + tail


def one(dtype, shape, offsets):
    return header({"a": {"dtype": dtype, "shape": shape, "data_offsets": offsets}}, bytes(8))


@pytest.mark.parametrize(
    "arrays",
    [
        lambda stored: struct.pack("<Q", 2**60) + stored[8:],
        lambda stored: stored[:20],
        lambda stored: one("F64", [2**40], [0, 2**43]),
        lambda stored: one("F64", [-1], [0, 8]),
        lambda stored: one("F64", [2], [0, 8]),
        lambda stored: one("OBJ", [1], [0, 8]),
        lambda stored: one("F64", [1], [8, 0]),
        lambda stored: header(
            {n: {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]} for n in "abc"}, bytes(8)
        ),
        lambda stored: header([1]),
        lambda stored: stored + b"x",
        lambda stored: stored[:-8] + struct.pack("<d", float("nan")),
    ],
)  # fmt: skip
def test_arrays_that_cannot_be(arrays, place, rewritten):
    refused(rewritten(place, arrays=arrays), "cannot be loaded: ")


def node(**state):
    return lambda document: document["model"]["state"].update(state)


EVIL = {"is": "function", "name": "os.system"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["model"].update({"class": "os.system"}), "no estimator or value"),
        (lambda d: d["model"].update({"class": "stylobate.cli.app"}), "no estimator or value"),
        (lambda d: d["model"].update({"class": "stylobate.lazy.import_module"}), "no estimator"),
        (lambda d: d["model"].update({"class": "subprocess.Popen"}), "no estimator or value"),
        (lambda d: d["model"].update({"class": "stylobate.base.BaseEstimator.save"}), "no est"),
        (lambda d: d["model"].update({"class": "stylobate.exceptions.StylobateError"}), "no estim"),
        (node(alpha=EVIL), "asks for a function"),
        (node(alpha={"is": "function", "name": "stylobate.read"}), "asks for a function"),
        (node(alpha={"is": "function", "name": "stylobate.storage.files.load"}), "asks for a func"),
        (node(alpha={"is": "function", "name": "numpy.load"}), "asks for a function"),
        (node(alpha={"is": "type", "name": "numpy.memmap"}), "unknown type"),
        (node(alpha={"is": "dtype", "name": "O,O,O"}), "unknown dtype"),
        (node(alpha={"is": "again", "number": 0}), "not complete"),
        (node(alpha={"is": "again", "number": []}), "damaged"),
        (node(alpha={"is": "mystery"}), "unknown kind"),
        (node(__class__="x"), "value for '__class__'"),
        (node(_check_fitted_="x", _read="x"), "value for '_read'"),
        (node(n_features_in_=3), r"coef_ of shape \(2,\) for 3 features"),
        (node(n_features_in_=-1), "claims n_features_in_=-1"),
        (node(n_features_in_="2"), "claims n_features_in_=2"),
        (node(intercept_={"is": "float", "text": "nan"}), "NaN in intercept_"),
        (node(feature_names_in_={"is": "objects", "shape": [1], "items": ["a"]}), "no name for"),
        (node(alpha={"is": "objects", "shape": [2**40], "items": ["a"]}), "impossible shape"),
        (node(alpha={"is": "scalar", "dtype": "<U99999999", "value": "x"}), "more room"),
        (node(alpha={"is": "range", "entries": [0, "x"]}), "not one of whole numbers"),
        (node(alpha={"is": "distribution", "parts": {"is": "dict", "items": {
            "name": "os", "args": [], "kwds": {"is": "dict", "items": {}}}}}), "distribution"),
        (node(alpha={"is": "Generator", "parts": {"is": "dict", "items": {
            "bit_generator": "BitGenerator"}}}), "random generator"),
        (lambda d: d["shapes"].update(coef_=[3]), "where .* is said"),
        (lambda d: d["shapes"].clear(), "not those its document lists"),
        (lambda d: d.update(format="x"), "not a model file"),
        (lambda d: d.update(format_version="1"), "does not say which version"),
        (lambda d: d.update(model=3), "no estimator"),
        (lambda d: json.dumps(d).replace('"format":', '"format": 1, "format":'), "entry twice"),
        (lambda d: json.dumps(d).replace("0.5", "NaN"), "not JSON"),
        (lambda d: json.dumps(d).replace("0.5", "9" * 5000), "damaged"),
        (lambda d: json.dumps(d).replace("0.5", "[" * 50_000 + "]" * 50_000), "damaged|deep"),
        (lambda d: json.dumps(d).replace("0.5", "[" * 300 + "]" * 300), "deep"),
        (lambda d: "[]", "not a model file"),
        (lambda d: "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "damaged"),
    ],
)  # fmt: skip
def test_documents_that_cannot_be(change, words, place, rewritten):
    refused(rewritten(place, change), words)


def test_methods_cannot_be_covered(place, rewritten):
    with pytest.warns(stylobate.exceptions.StylobateWarning, match=r"left out: Ridge\.fit"):
        assert callable(stylobate.load(rewritten(place, node(fit=3))).fit)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("children_left", [1, -1, 0]),  # a way back to the root
        ("children_left", [1, 1, -1]),
        ("children_right", [99, -1, -1]),
        ("children_right", [1, -1, -1]),
        ("value", [1.0, float("nan"), 2.0]),
    ],
)
def test_arrays_that_make_no_tree(field, values, tmp_path):
    tree = DecisionTreeRegressor(max_depth=1).fit([[0.0], [1.0]], [0.0, 1.0])
    arrays = {name: np.array(getattr(tree.tree_, name)) for name in (field,)}
    arrays[field].flat[:] = values
    tree.tree_ = dataclasses.replace(tree.tree_, **arrays)
    refused(tree.save(tmp_path / "tree"), "do not make a tree")


def test_a_list_cannot_be_multiplied(place, rewritten):
    def change(document):
        long = document["model"]["state"]["aliased_"]
        document["model"]["state"]["solver_"] = long

    refused(rewritten(place, change), "used twice")


def test_wide_texts_cost_little(tmp_path, rewritten):
    model = Ridge(alpha=np.array(["a", "b"]))
    place = model.save(tmp_path / "m")

    def change(document):
        document["model"]["state"]["alpha"]["width"] = 10**9

    refused(rewritten(place, change), "far more room")


def test_wrong_check_sums(place):
    content = bytearray(place.read_bytes())
    at = content.index(struct.pack("<d", 2.0))
    content[at + 7] ^= 1
    with pytest.raises(ModelFileError, match="CRC"):
        load_stream(io.BytesIO(bytes(content)))


def test_loading_imports_only_our_modules(place, rewritten):
    assert "stylobate.storage.files" in modules()
    assert not [
        name for name in modules() if name.startswith(("stylobate.cli", "stylobate.data.r"))
    ]
    refused(
        rewritten(place, lambda d: d["model"].update({"class": "antigravity.x"})), "no estimator"
    )
    assert "antigravity" not in sys.modules


def test_larger_than_four_gibibytes_are_possible_in_form(tmp_path):
    """The archive's 64-bit form is read: it is what large models are written in."""
    place = tmp_path / "m"
    write_archive(place, json.dumps({"format": "stylobate model"}), {"a": np.zeros(3)})
    content = place.read_bytes()
    end = len(content) - 22
    count, length, offset = struct.unpack("<HLL", content[end + 10 : end + 20])
    far = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, length, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    final = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, count, count, length, 0xFFFFFFFF, 0)
    place.write_bytes(content[:end] + far + locator + final)
    refused(place, "version of the format")
    huge = struct.pack(
        "<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 10**9, 10**9, length, offset
    )
    place.write_bytes(content[:end] + huge + locator + final)
    refused(place, "members")
