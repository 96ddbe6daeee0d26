"""`clone` does what scikit-learn's does; both work on our estimators and on theirs."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import sklearn.base
import sklearn.linear_model
import sklearn.pipeline
from small_estimators import SmallRidge, SmallScaler

from stylobate.base import BaseEstimator, clone

X = np.arange(12.0).reshape(6, 2) ** 1.5
y = np.array([1.0, 2.0, 2.5, 5.0, 4.0, 7.0])


@pytest.mark.parametrize("cloner", [clone, sklearn.base.clone])
def test_clone_keeps_parameters_and_forgets_the_fit(cloner):
    model = SmallRidge(alpha=3.0).fit(X, y)
    twin = cloner(model)
    assert twin is not model
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "coef_")
    assert hasattr(model, "coef_")


@pytest.mark.parametrize("cloner", [clone, sklearn.base.clone])
@pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
def test_clone_of_collections(cloner, kind):
    twins = cloner(kind([SmallRidge(alpha=2.0)]))
    assert type(twins) is kind
    assert [each.alpha for each in twins] == [2.0]
    named = cloner({"a": SmallRidge(alpha=2.0)})
    assert named["a"].alpha == 2.0


def test_clone_copies_nested_estimators_and_mutable_parameters():
    ours = sklearn.pipeline.make_pipeline(SmallScaler(), SmallRidge(alpha=4.0))
    for cloner in (clone, sklearn.base.clone):
        twin = cloner(ours)
        assert twin.named_steps["smallridge"] is not ours.named_steps["smallridge"]
        assert twin.named_steps["smallridge"].alpha == 4.0
    values = [1.0, 2.0]
    twin = clone(SmallRidge(alpha=values))
    assert twin.alpha == values
    assert twin.alpha is not values


def test_clone_works_on_scikit_learn_estimators():
    twin = clone(sklearn.linear_model.Ridge(alpha=2.0))
    assert isinstance(twin, sklearn.linear_model.Ridge)
    assert twin.alpha == 2.0


@pytest.mark.parametrize("thing", [1, "text", SmallRidge, object()])
def test_what_cannot_be_cloned(thing):
    for cloner in (clone, sklearn.base.clone):
        with pytest.raises(TypeError, match="Cannot clone"):
            cloner(thing)
    if not isinstance(thing, type):
        assert type(clone(thing, safe=False)) is type(copy.deepcopy(thing))


class Meddler(BaseEstimator):
    def __init__(self, alpha: object = None) -> None:
        self.alpha = [] if alpha is None else list(alpha)


def test_a_constructor_that_meddles_is_found_out():
    for cloner in (clone, sklearn.base.clone):
        with pytest.raises(RuntimeError, match=r"Cannot clone Meddler.*alpha"):
            cloner(Meddler([1]))


class Special(BaseEstimator):
    def __sklearn_clone__(self):
        return "my way"


def test_sklearn_clone_hook_is_followed():
    assert clone(Special()) == "my way"
    assert clone([Special()]) == ["my way"]


def test_choices_of_output_and_routing_go_along():
    scaler = SmallScaler().set_output(transform="pandas").set_fit_request(sample_weight=True)
    for cloner in (clone, sklearn.base.clone):
        twin = cloner(scaler)
        assert vars(twin) == vars(scaler)
        twin.set_output(transform="polars")
        assert scaler._output_style == {"transform": "pandas"}
