"""Model files with wrong values in right places: arrays and documents are changed, then packed
as a sound archive again, so that only what the model itself checks stands in the way.

Run as a program (``mutations.py FIRST COUNT``) it loads such files and asks the models, under
limits of memory and time, and prints what came of it: the caller sees whether it lived.
"""

from __future__ import annotations

import copy
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
import pandas as pd

from stylobate import (
    compose,
    discriminant_analysis,
    dummy,
    ensemble,
    impute,
    linear_model,
    naive_bayes,
    neighbors,
    pipeline,
    preprocessing,
)
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

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
    path, new = draw.choice(places[1:]), copy.deepcopy(draw.choice(INSTEAD))
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


METHODS = (
    "predict", "predict_proba", "decision_function", "transform", "kneighbors", "score_samples",
    "apply", "decision_path",
)  # fmt: skip


def models():
    """Small models of every build, and the rows to ask them with."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 3))
    labels, y = (X[:, 0] > 0) + 1 * (X[:, 1] > 0.5), X @ [1.0, 2.0, 3.0]
    letters = np.array(list("abcdefgh"))[draw.integers(0, 8, 60)].astype(object)
    letters[3] = None
    many = pd.Categorical(draw.integers(0, 40, 60).astype(str))
    table = pd.DataFrame({"a": X[:, 0], "s": letters, "c": many, "b": X[:, 1] > 0})
    words, counts = table[["s", "c"]].astype(object).fillna("z"), draw.integers(0, 4, (60, 3))
    holes = X.copy()
    holes[::7, 1] = np.nan
    return [
        *_trees(X, table, labels, y),
        *_ensembles(X, labels, y),
        *_neighbours(X, labels, y),
        *_classifiers(X, counts, table, labels),
        *_regressors(X, y),
        *_transformers(X, holes, counts),
        *_encoders(words, counts, table, labels, y),
    ]


def _trees(X, table, labels, y):
    few = {"n_estimators": 3, "random_state": 0}
    both = np.column_stack([y, -y])
    return [
        (DecisionTreeClassifier(max_depth=4).fit(table, labels), table),
        (DecisionTreeRegressor(max_depth=4).fit(X, y), X),
        (ExtraTreeRegressor(random_state=0).fit(X, both), X),
        (ensemble.RandomForestClassifier(**few).fit(table, labels), table),
        (ensemble.ExtraTreesRegressor(**few).fit(X, y), X),
        (ensemble.RandomTreesEmbedding(**few).fit(X), X),
        (ensemble.HistGradientBoostingClassifier(max_iter=3).fit(table, labels), table),
        (ensemble.HistGradientBoostingRegressor(max_iter=3).fit(table, y), table),
    ]


def _ensembles(X, labels, y):
    few = {"n_estimators": 3, "random_state": 0}
    kinds = [("a", naive_bayes.GaussianNB()), ("b", linear_model.LogisticRegression())]
    numbers = [("a", linear_model.Ridge()), ("b", neighbors.KNeighborsRegressor())]
    logit = linear_model.LogisticRegression()
    fitted = [
        *(m.fit(X, labels) for m in (
            ensemble.VotingClassifier(kinds, voting="soft"), ensemble.StackingClassifier(kinds),
            ensemble.BaggingClassifier(logit, **few), ensemble.AdaBoostClassifier(**few),
        )),
        *(m.fit(X, y) for m in (
            ensemble.VotingRegressor(numbers), ensemble.StackingRegressor(numbers),
            ensemble.BaggingRegressor(max_features=2, **few), ensemble.AdaBoostRegressor(**few),
        )),
    ]  # fmt: skip
    return [(model, X) for model in fitted]


def _neighbours(X, labels, y):
    classifier, regressor = neighbors.KNeighborsClassifier, neighbors.KNeighborsRegressor
    fitted = [
        *(classifier(algorithm=name).fit(X, labels) for name in ("brute", "kd_tree", "hnsw")),
        *(regressor(algorithm=name).fit(X, y) for name in ("brute", "ball_tree", "hnsw")),
        neighbors.RadiusNeighborsClassifier(5.0).fit(X, labels),
        neighbors.RadiusNeighborsRegressor(5.0).fit(X, y),
        neighbors.NearestNeighbors().fit(X),
        neighbors.LocalOutlierFactor(novelty=True).fit(X),
        neighbors.KernelDensity().fit(X),
        neighbors.NearestCentroid().fit(X, labels),
    ]
    return [(model, X) for model in fitted]


def _classifiers(X, counts, table, labels):
    bayes = (
        naive_bayes.MultinomialNB(), naive_bayes.BernoulliNB(), naive_bayes.ComplementNB(),
        naive_bayes.CategoricalNB(),
    )  # fmt: skip
    others = (
        naive_bayes.GaussianNB(), discriminant_analysis.LinearDiscriminantAnalysis(),
        discriminant_analysis.QuadraticDiscriminantAnalysis(), linear_model.LogisticRegression(),
        linear_model.RidgeClassifier(), linear_model.SGDClassifier(random_state=0),
        dummy.DummyClassifier(), dummy.DummyClassifier(strategy="stratified", random_state=0),
    )  # fmt: skip
    return [
        (naive_bayes.NaiveBayes().fit(table, labels), table),
        (linear_model.LogisticRegression().fit(X, labels > 0), X),
        *((model.fit(counts, labels), counts) for model in bayes),
        *((model.fit(X, labels), X) for model in others),
    ]


def _regressors(X, y):
    several = (linear_model.Ridge(), dummy.DummyRegressor())
    single = (
        linear_model.LinearRegression(), linear_model.Lasso(), linear_model.ElasticNet(),
        linear_model.HuberRegressor(),
        compose.TransformedTargetRegressor(
            linear_model.Ridge(), transformer=preprocessing.StandardScaler()
        ),
    )  # fmt: skip
    positive = (linear_model.PoissonRegressor(), linear_model.GammaRegressor())
    return [
        *((model.fit(X, np.column_stack([y, -y])), X) for model in several),
        *((model.fit(X, y), X) for model in single),
        *((model.fit(X, np.exp(y / 5)), X) for model in positive),
    ]


def _transformers(X, holes, counts):
    plain = (
        preprocessing.StandardScaler(), preprocessing.MinMaxScaler(), preprocessing.MaxAbsScaler(),
        preprocessing.RobustScaler(), preprocessing.QuantileTransformer(n_quantiles=20),
        preprocessing.PowerTransformer(), preprocessing.KBinsDiscretizer(4),
        preprocessing.SplineTransformer(), preprocessing.PolynomialFeatures(),
        preprocessing.RBFFeatures(),
        pipeline.make_union(preprocessing.StandardScaler(), preprocessing.PolynomialFeatures()),
    )  # fmt: skip
    imputers = (
        impute.SimpleImputer(add_indicator=True), impute.KNNImputer(), impute.MissingIndicator(),
        impute.IterativeImputer(max_iter=2),
    )  # fmt: skip
    return [
        *((model.fit(X), X) for model in plain),
        *((model.fit(holes), holes) for model in imputers),
        (preprocessing.OneHotEncoder(sparse_output=False).fit(counts), counts),
    ]


def _encoders(words, counts, table, labels, y):
    one_hot, ordinal = preprocessing.OneHotEncoder, preprocessing.OrdinalEncoder
    unseen = {"handle_unknown": "use_encoded_value", "unknown_value": -1}
    of_words = (
        one_hot(handle_unknown="ignore"), one_hot(min_frequency=3, drop="first"), ordinal(),
        ordinal(min_frequency=3, **unseen), preprocessing.TargetEncoder(),
        impute.SimpleImputer(strategy="most_frequent"),
    )  # fmt: skip
    of_tables = (
        preprocessing.TableEncoder(), preprocessing.TableEncoder(scale=True),
        preprocessing.TableEncoder(categories="codes"), _columns(),
        pipeline.make_pipeline(_columns(), linear_model.Ridge()),
        pipeline.make_pipeline(preprocessing.TableEncoder(), linear_model.LinearRegression()),
    )  # fmt: skip
    scaled = (preprocessing.StandardScaler(), neighbors.KNeighborsClassifier())
    return [
        *((model.fit(words, y), words) for model in of_words),
        *((model.fit(table, y), table) for model in of_tables),
        (preprocessing.TargetEncoder().fit(words, labels), words),
        (pipeline.make_pipeline(*scaled).fit(counts, labels), counts),
    ]


def _columns():
    return compose.ColumnTransformer(
        [
            ("n", preprocessing.StandardScaler(), ["a"]),
            ("w", preprocessing.OneHotEncoder(handle_unknown="ignore"), ["s", "c"]),
        ],
        remainder="passthrough",
    )


def ask(first, count, report):
    """Load and ask changed models; `report` hears of errors that are not ours, by seed."""
    from stylobate.exceptions import ModelFileError, StylobateError
    from stylobate.storage.files import load_stream

    known = [(parts_of(model), rows) for model, rows in models()]
    seen = {"refused": 0, "answered": 0}
    for seed in range(first, first + count):
        draw = random.Random(seed)
        parts, rows = known[seed % len(known)]
        stream, changes = mutated(parts, draw)
        try:
            loaded = load_stream(stream)
        except ModelFileError:
            seen["refused"] += 1
            continue
        for name in METHODS:
            if not hasattr(type(loaded), name) or not hasattr(loaded, name):
                continue
            try:
                getattr(loaded, name)(rows)
                seen["answered"] += 1
            except StylobateError:
                pass
            except Exception as error:
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
