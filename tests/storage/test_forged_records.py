"""Files that lose a part and the record of it too: refused by what each class always learns."""

from __future__ import annotations

import copy
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import mutations

import stylobate
from stylobate.base.discovery import all_estimators
from stylobate.cluster import BisectingKMeans
from stylobate.exceptions import ModelFileError
from stylobate.linear_model import Ridge, SGDRegressor
from stylobate.mixture import BayesianGaussianMixture
from stylobate.preprocessing import TableEncoder
from stylobate.storage.requirements import ALWAYS
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import fitted, problem_for

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 4))
WITH_PARTS = [
    kind
    for kind in all_estimators()
    if any(base.__name__ in ALWAYS for base in kind.__mro__) and example_of(kind)._tags().two_d
]


def without(document, name):
    """The document of a model that lost an attribute, and the record of it."""
    changed = copy.deepcopy(document)
    del changed["model"]["state"][name]
    changed["model"].get("learnt", {}).pop(name, None)
    return changed


@pytest.mark.parametrize("kind", WITH_PARTS, ids=lambda kind: kind.__name__)
def test_what_a_class_always_learns_is_missed(kind):
    estimator = example_of(kind)
    problem = problem_for(estimator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document, arrays = mutations.parts_of(fitted(estimator, problem.X, problem.y))
    stylobate.load(mutations.packed(document, arrays))
    learnt = {name for base in kind.__mro__ for name in ALWAYS.get(base.__name__, ())}
    assert learnt <= document["model"]["state"].keys()
    for name in sorted(learnt):
        with pytest.raises(ModelFileError, match=r"lacks|lost|not complete"):
            stylobate.load(mutations.packed(without(document, name), arrays))


def refused(document, arrays, words):
    with pytest.raises(ModelFileError, match=words):
        stylobate.load(mutations.packed(document, arrays))


def test_parts_of_table_encoders_are_missed():
    frame = pd.DataFrame({"x": X[:, 0], "c": ["a", "b", "d"] * 20})
    document, arrays = mutations.parts_of(TableEncoder().fit(frame))
    for place, names in enumerate([ALWAYS["NumberPart"], ALWAYS["CategoryPart"]]):
        for name in names:
            changed = copy.deepcopy(document)
            part = changed["model"]["state"]["_parts"][place]["entries"][0]["state"]
            del part[name]
            refused(changed, arrays, "lacks|no column|not complete")


def test_parts_that_read_other_columns_than_they_can_are_refused():
    frame = pd.DataFrame({"x": X[:, 0], "c": ["a", "b", "d"] * 20})
    document, arrays = mutations.parts_of(TableEncoder().fit(frame))
    places = document["model"]["state"]["_parts"][0]["entries"][1]["entries"]
    places.append(places[0])
    refused(document, arrays, "no part's")


def test_statistics_of_other_shapes_are_refused():
    document, arrays = mutations.parts_of(Ridge().fit(X, X[:, 0]))
    name = next(each for each in arrays if each.endswith("scatter"))
    dtype, values = arrays[name]
    for other in (values[:-1], values.ravel(), values[None]):
        refused(document, arrays | {name: (dtype, other)}, "scatter")


def test_a_descent_of_other_columns_is_refused():
    document, arrays = mutations.parts_of(SGDRegressor(random_state=0).fit(X, X[:, 0]))
    names = [each for each in arrays if each.startswith("_state.") and "coef" in each]
    shorter = {each: (arrays[each][0], arrays[each][1][:, :2]) for each in names}
    assert len(names) == 2
    refused(document, arrays | shorter, "cannot go on")


@pytest.mark.parametrize("splits", [[0, 1, -1], [1, -1, 0], [99, 100, -1], [-1, -1, 99]])
def test_splits_that_are_no_tree_are_refused(splits):
    """A split that goes back to the root kept `predict` busy for ever."""
    document, arrays = mutations.parts_of(BisectingKMeans(n_clusters=3, random_state=0).fit(X))
    name = next(each for each in arrays if each.startswith("splits_"))
    dtype, values = arrays[name]
    changed = values.copy()
    changed[0] = splits
    refused(document, arrays | {name: (dtype, changed)}, "no tree")


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_mixtures_with_priors(kind):
    model = BayesianGaussianMixture(n_components=2, covariance_type=kind, random_state=0).fit(X)
    document, arrays = mutations.parts_of(model)
    again = stylobate.load(mutations.packed(document, arrays))
    assert np.array_equal(again.predict(X), model.predict(X))
    name = next(each for each in arrays if each.startswith("weight_concentration_"))
    dtype, values = arrays[name]
    refused(document, arrays | {name: (dtype, values[:-1])}, "weights of its components")
