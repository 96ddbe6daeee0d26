"""Model files with wrong values in right places: arrays and documents are changed, then packed
as a sound archive again, so that only what the model itself checks stands in the way.

Run as a program (``mutations.py FIRST COUNT``) it loads such files and asks the models, under
limits of memory and time, and prints what came of it: the caller sees whether it lived.
"""

from __future__ import annotations

import faulthandler
import io
import json
import random
import resource
import struct
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

import numpy as np

DTYPES = {
    "F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U64": "<u8",
    "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "u1",
}  # fmt: skip
ODD = {
    "f": [np.nan, np.inf, -np.inf, 1e308, -1.0, 0.0, 1e18],
    "i": [-1, -2, 0, 1, 3, 7, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)],
    "u": [0, 1, 5, 255, 2**32 - 1, 2**64 - 1],
}
INSTEAD = [
    None, -1, 0, 2**40, 2**70, 1.5, "x", [], True, {"is": "float", "text": "nan"},
    {"is": "float", "text": "inf"},
]  # fmt: skip


def parts_of(model):
    """The document and the arrays of a model's file."""
    with tempfile.TemporaryDirectory() as folder:
        place = model.save(Path(folder) / "m")
        content = io.BytesIO(place.read_bytes())
    with zipfile.ZipFile(content) as archive:
        document = json.loads(archive.read("model.json"))
        stored = archive.read("arrays.safetensors")
    length = struct.unpack("<Q", stored[:8])[0]
    contents, body = json.loads(stored[8 : 8 + length]), stored[8 + length :]
    arrays = {}
    for name, entry in contents.items():
        if name != "__metadata__":
            start, stop = entry["data_offsets"]
            values = np.frombuffer(body[start:stop], DTYPES[entry["dtype"]])
            arrays[name] = (entry["dtype"], values.reshape(entry["shape"]))
    return document, arrays


def packed(document, arrays):
    """A file of these parts, with everything an archive needs."""
    contents, body = {}, b""
    for name, (dtype, values) in arrays.items():
        stop = len(body) + values.nbytes
        contents[name] = {
            "dtype": dtype, "shape": list(values.shape), "data_offsets": [len(body), stop]
        }  # fmt: skip
        body += values.tobytes()
    document["shapes"] = {name: list(values.shape) for name, (_, values) in arrays.items()}
    document["finite"] = []
    head = json.dumps(contents).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("model.json", json.dumps(document))
        archive.writestr("arrays.safetensors", struct.pack("<Q", len(head)) + head + body)
    stream.seek(0)
    return stream


def mutated(parts, draw):
    """A changed file, and what was changed."""
    document, arrays = json.loads(json.dumps(parts[0])), dict(parts[1])
    changes = []
    for _ in range(draw.choice([1, 1, 2])):
        way = draw.choice(["cells", "cells", "cells", "size", "dtype", "swap", "text", "text"])
        if way == "text" or not arrays:
            changes.append(_other_text(document, draw))
            continue
        name = draw.choice(sorted(arrays))
        _WAYS[way](arrays, name, draw)
        changes.append((way, name, arrays[name][0], arrays[name][1].shape))
    return packed(document, arrays), changes


def _other_text(document, draw):
    places = []

    def walk(node, path):
        places.append(path)
        inner = node.items() if isinstance(node, dict) else enumerate(node)
        for key, each in inner:
            walk(each, (*path, key)) if isinstance(each, dict | list) else places.append(
                (*path, key)
            )

    walk(document["model"], ("model",))
    path, new = draw.choice(places[1:]), draw.choice(INSTEAD)
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = new
    return path, new


def _other_cells(arrays, name, draw):
    dtype, values = arrays[name]
    flat = values.ravel().copy()
    for _ in range(draw.choice([1, 1, 3, flat.size]) if flat.size else 0):
        odd = np.array(draw.choice(ODD[flat.dtype.kind]))
        with np.errstate(all="ignore"):
            flat[draw.randrange(flat.size)] = odd.astype(flat.dtype)
    arrays[name] = (dtype, flat.reshape(values.shape))


def _other_size(arrays, name, draw):
    dtype, values = arrays[name]
    if values.ndim and values.size:
        axis = draw.randrange(values.ndim)
        length = values.shape[axis]
        wanted = draw.choice([0, 1, length - 1, length + 1])
        arrays[name] = (dtype, np.take(values, np.arange(wanted) % length, axis=axis))


def _other_dtype(arrays, name, draw):
    dtype = draw.choice(list(DTYPES))
    with np.errstate(all="ignore"):
        arrays[name] = (dtype, arrays[name][1].astype(DTYPES[dtype]))


def _other_place(arrays, name, draw):
    other = draw.choice(sorted(arrays))
    arrays[name], arrays[other] = arrays[other], arrays[name]


_WAYS = {
    "cells": _other_cells, "size": _other_size, "dtype": _other_dtype, "swap": _other_place,
}  # fmt: skip


def models():
    """Small models of every build, the rows to ask them with, and whether trees alone answer."""
    import pandas as pd

    from stylobate import ensemble, linear_model, naive_bayes, neighbors, pipeline, preprocessing
    from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 3))
    labels, y = (X[:, 0] > 0) + 1 * (X[:, 1] > 0.5), X @ [1.0, 2.0, 3.0]
    letters = np.array(list("abcdefgh"))[draw.integers(0, 8, 60)].astype(object)
    letters[3] = None
    many = pd.Categorical(draw.integers(0, 40, 60).astype(str))
    table = pd.DataFrame({"a": X[:, 0], "s": letters, "c": many, "b": X[:, 1] > 0})
    few = {"n_estimators": 3, "random_state": 0}
    yield DecisionTreeClassifier(max_depth=4).fit(table, labels), table, True
    yield DecisionTreeRegressor(max_depth=4).fit(X, y), X, True
    yield ExtraTreeRegressor(random_state=0).fit(X, np.column_stack([y, -y])), X, True
    yield ensemble.RandomForestClassifier(**few).fit(table, labels), table, True
    yield ensemble.ExtraTreesRegressor(**few).fit(X, y), X, True
    yield ensemble.RandomTreesEmbedding(**few).fit(X), X, True
    yield ensemble.HistGradientBoostingClassifier(max_iter=3).fit(table, labels), table, True
    yield ensemble.HistGradientBoostingRegressor(max_iter=3).fit(table, y), table, True
    yield ensemble.AdaBoostClassifier(**few).fit(X, labels), X, True
    yield ensemble.BaggingRegressor(max_features=2, **few).fit(X, y), X, True
    steps = (preprocessing.TableEncoder(), linear_model.LogisticRegression())
    yield pipeline.make_pipeline(*steps).fit(table, labels), table, False
    yield neighbors.KNeighborsClassifier().fit(X, labels), X, False
    yield neighbors.KNeighborsRegressor(algorithm="hnsw").fit(X, y), X, False
    yield neighbors.LocalOutlierFactor(novelty=True).fit(X), X, False
    yield naive_bayes.NaiveBayes().fit(table, labels), table, False
    yield preprocessing.OneHotEncoder().fit(table[["c"]]), table[["c"]], False
    yield preprocessing.SplineTransformer().fit(X), X, False


def ask(first, count, report):
    """Load and ask changed models; `report` hears of errors that are not ours, by seed."""
    from stylobate.exceptions import ModelFileError, StylobateError
    from stylobate.storage.files import load_stream

    known = [(parts_of(model), rows, strict) for model, rows, strict in models()]
    seen = {"refused": 0, "answered": 0}
    for seed in range(first, first + count):
        draw = random.Random(seed)
        parts, rows, strict = known[seed % len(known)]
        stream, changes = mutated(parts, draw)
        try:
            loaded = load_stream(stream)
        except ModelFileError:
            seen["refused"] += 1
            continue
        for name in ("predict", "predict_proba", "transform", "apply", "decision_path"):
            if not hasattr(type(loaded), name) or not hasattr(loaded, name):
                continue
            try:
                getattr(loaded, name)(rows)
                seen["answered"] += 1
            except StylobateError:
                pass
            except Exception as error:
                if strict:
                    report(seed, type(loaded).__name__, name, repr(error)[:200], changes)
    return seen


if __name__ == "__main__":
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    wrong = []
    found = ask(int(sys.argv[1]), int(sys.argv[2]), lambda *each: wrong.append(each))
    print(json.dumps({**found, "wrong": [list(map(str, each)) for each in wrong]}))
