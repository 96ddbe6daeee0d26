"""Constraints judge values as arithmetic says, and refusals say what is allowed and given."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stylobate.base import BaseEstimator, HasMethods, Interval, Numbers, Options, RandomState
from stylobate.base.constraints import Constraint
from stylobate.base.parameters import brief, constraint_from, constraints_of, defaults_of
from stylobate.exceptions import InvalidParameterError, StylobateError

CLOSED = st.sampled_from(["left", "right", "both", "neither"])
NUMPY_NUMBERS = [np.float64, np.float32, np.int64, np.int8, np.uint16, np.float16]
floats = st.floats(allow_nan=False)


@given(st.tuples(floats, floats), CLOSED, st.one_of(floats, st.integers()))
def test_interval_is_the_interval_of_arithmetic(bounds, closed, value):
    low, high = sorted(bounds)
    inside = low < value < high
    on_left = closed in ("left", "both") and value == low
    on_right = closed in ("right", "both") and value == high
    # where both ends meet, either end belongs only if the other does not exclude it
    expected = inside or (on_left and (value < high or closed == "both"))
    expected = expected or (on_right and (value > low or closed == "both"))
    assert Interval(low, high, closed=closed).accepts(value) == expected


@given(st.sampled_from(NUMPY_NUMBERS), st.integers(0, 100))
def test_numpy_scalars_count_as_numbers(kind, value):
    assert Interval(0, inf).accepts(kind(value))
    assert not Interval(-inf, 0, closed="neither").accepts(kind(value))
    whole = constraint_from(Annotated[int, Interval(0, inf)])
    assert whole.accepts(kind(value)) == np.issubdtype(kind, np.integer)


@pytest.mark.parametrize("value", [True, False, np.True_, "1", None, nan, np.nan, 1j, [1.0]])
@pytest.mark.parametrize("hint", [int, float, Annotated[float, Interval(-inf, inf)]])
def test_what_is_not_a_number(hint, value):
    assert not constraint_from(hint).accepts(value)


@pytest.mark.parametrize(
    ("hint", "good", "bad"),
    [
        (int, [0, -3, np.int8(2)], [1.0, True, "1", None]),
        (float, [0, 1.5, inf, np.float32(1)], [nan, True, "1", None]),
        (bool, [True, np.False_], [0, 1, None, "True"]),
        (str, ["", "a"], [1, None, b"a"]),
        (None, [None], [0, False, ""]),
        (int | None, [3, None], [3.5, "3"]),
        (Literal["a", "b"], ["a"], ["c", 1, None]),
        (Literal["a", 1], ["a", 1], [True, 1.0]),
        (Annotated[str, Options("auto", "svd")], ["svd"], ["SVD", None, 1]),
        (Annotated[str, Options("auto")] | bool, ["auto", True], ["x", 1]),
        (Annotated[int, Interval(1, inf)] | None, [1, None, 2**63 - 1], [0, 1.0, True, 2**63]),
        (Annotated[float | None, Interval(0, 1, closed="both")], [0, 1, None], [1.1, "x"]),
        (Annotated[int, Interval(0, 9), Interval(5, 20)], [5, 8], [4, 9]),
        (Callable[[int], int], [len, int, lambda x: x], [1, "len", None]),
        (np.ndarray, [np.zeros(1)], [[0.0], None]),
        (np.random.Generator, [np.random.default_rng(0)], [0, None]),
        (list[int], [[1], []], [(1,), None]),
        (RandomState, [None, 0, np.int64(3), np.random.default_rng(1)], [-1, 2**32, 0.5, "0"]),
        (RandomState, [np.random.RandomState(0)], [True, np.random]),
        (Annotated[Any, HasMethods("fit")], [type("E", (), {"fit": len})()], [1, BaseEstimator]),
        (
            Annotated[Any, Numbers(0, inf)],
            [[1.0], (0, 2), np.arange(3)],
            [[], [-1.0], [nan], [inf]],
        ),
        (Annotated[Any, Numbers()], [[-5]], ["123", [[1.0]], [[1], [2, 3]], ["a"], [True], 1.0]),
    ],
)
def test_annotations(hint, good, bad):
    constraint = constraint_from(hint)
    assert [constraint.accepts(value) for value in good] == [True] * len(good)
    assert [constraint.accepts(value) for value in bad] == [False] * len(bad)


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (float, "a number"),
        (bool, "True or False"),
        (Annotated[float, Interval(0, inf)], "a number in [0, inf)"),
        (Annotated[float, Interval(-inf, 1, closed="both")], "a number in (-inf, 1]"),
        (Annotated[int, Interval(1, 9, closed="neither")] | None, "an integer in (1, 9) or None"),
        (Annotated[str, Options("a", "b", "c")], "one of 'a', 'b', 'c'"),
        (Annotated[str, Options("a")] | int | None, "'a', an integer or None"),
        (np.ndarray, "a ndarray"),
        (Annotated[Any, HasMethods("fit", "predict")], "an object with fit and predict"),
    ],
)
def test_words(hint, words):
    assert constraint_from(hint).words == words


def test_a_hint_that_cannot_be_checked_is_a_programming_error():
    with pytest.raises(TypeError, match="not one parameters can be checked against"):
        constraint_from("alpha")


class Example(BaseEstimator):
    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        solver: Annotated[str, Options("auto", "svd")] = "auto",
        inner: Annotated[Any, HasMethods("get_params")] | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.alpha = alpha
        self.solver = solver
        self.inner = inner
        self.random_state = random_state


class Heir(Example):
    """Has its parameters from its parent."""


def constraints() -> list[Constraint]:
    return list(constraints_of(Example).values())


@pytest.mark.parametrize("constraint", constraints(), ids=lambda each: each.words)
def test_counterexamples_are_refused(constraint):
    values = list(constraint.counterexamples())
    assert values
    assert not any(constraint.accepts(value) for value in values)


def test_refusal_is_one_sentence_naming_everything():
    with pytest.raises(InvalidParameterError) as caught:
        Example(alpha=-1)._check_parameters()
    assert str(caught.value) == "Example: alpha must be a number in [0, inf), got -1."
    with pytest.raises(InvalidParameterError) as caught:
        Heir(solver="sdv")._check_parameters()
    assert str(caught.value) == "Heir: solver must be 'auto' or 'svd', got 'sdv'."


@given(
    st.dictionaries(
        st.sampled_from(["alpha", "solver", "inner", "random_state"]),
        st.one_of(
            st.none(),
            st.booleans(),
            st.floats(),
            st.integers(),
            st.text(),
            st.binary(),
            st.lists(st.floats()),
            st.complex_numbers(),
            st.just(np.zeros(3)),
            st.just(Example),
        ),
    )
)
def test_any_values_are_stored_unread_and_judged_without_surprise(values):
    estimator = Example(**values)
    for name, value in values.items():
        assert getattr(estimator, name) is value
    refusal = refusal_of(estimator)
    assert refusal == "" or (refusal.startswith("Example: ") and refusal.endswith("."))
    assert "\n" not in refusal


def refusal_of(estimator: BaseEstimator) -> str:
    try:
        estimator._check_parameters()
    except StylobateError as error:
        return str(error)
    return ""


def test_defaults_keep_their_order_and_are_read_once():
    assert list(defaults_of(Heir)) == ["alpha", "solver", "inner", "random_state"]
    assert constraints_of(Heir) is constraints_of(Heir)
    assert dict(defaults_of(BaseEstimator)) == {}


@pytest.mark.parametrize("signature", ["*args", "**kwargs"])
def test_variable_arguments_are_a_programming_error(signature):
    space: dict[str, Any] = {"BaseEstimator": BaseEstimator}
    exec(f"class Loose(BaseEstimator):\n    def __init__(self, {signature}): ...", space)
    with pytest.raises(TypeError, match="name each one"):
        space["Loose"]._get_param_names()


def test_set_params_reaches_in():
    outer = Example(inner=Example())
    assert outer.set_params(inner__alpha=5, solver="svd") is outer
    assert (outer.inner.alpha, outer.solver) == (5, "svd")
    replaced = Example()
    outer.set_params(inner=replaced, inner__alpha=7)  # the new one is set, in whatever order
    assert (outer.inner, replaced.alpha) == (replaced, 7)
    assert outer.get_params()["inner__alpha"] == 7
    assert set(outer.get_params(deep=False)) == {"alpha", "solver", "inner", "random_state"}


def test_set_params_refuses_unknown_names():
    with pytest.raises(InvalidParameterError, match=r"'beta'.*\['alpha', 'inner'"):
        Example().set_params(beta=1)
    with pytest.raises(InvalidParameterError, match="inner is None, which has no parameters"):
        Example().set_params(inner__alpha=1)


@given(st.text(max_size=300), st.integers(11, 90))
def test_brief_fits(text, length):
    assert len(brief(text, length)) <= length
