"""Kernels of strings, sets and categories against counting by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels import Intersection, Matching, Spectrum, Subsequence, check_mercer

TEXTS = st.lists(st.text(alphabet="abcé", max_size=7), min_size=1, max_size=5)


def counted(text, k):
    counts = {}
    for i in range(len(text) - k + 1):
        counts[text[i : i + k]] = counts.get(text[i : i + k], 0) + 1
    return counts


def subsequences(text, k, decay):
    """Weights of all subsequences, from the definition."""
    weights = {}
    for places in combinations(range(len(text)), k):
        u = "".join(text[i] for i in places)
        weights[u] = weights.get(u, 0.0) + decay ** (places[-1] - places[0] + 1)
    return weights


def inner(a, b):
    return sum(value * b.get(key, 0) for key, value in a.items())


@given(TEXTS, TEXTS, st.integers(1, 3))
def test_spectrum(left, right, k):
    expected = [[inner(counted(s, k), counted(t, k)) for t in right] for s in left]
    assert_array_equal(Spectrum(k)(left, right), expected)
    assert_array_equal(Spectrum(k).diagonal(left), np.diagonal(Spectrum(k)(left)))


@given(TEXTS, st.integers(1, 3), st.floats(0.1, 1.0))
def test_subsequence(texts, k, decay):
    made = [subsequences(s, k, decay) for s in texts]
    expected = [[inner(a, b) for b in made] for a in made]
    kernel = Subsequence(k, decay)
    assert_allclose(kernel(texts), expected, rtol=1e-10, atol=1e-14)
    assert_allclose(kernel(texts, texts), expected, rtol=1e-10, atol=1e-14)
    assert_allclose(kernel.diagonal(texts), np.diagonal(expected), rtol=1e-10, atol=1e-14)


def test_lodhi_s_example():
    """Lodhi et al., table 1: cat, car, bat, bar with k = 2."""
    decay = 0.3
    gram = Subsequence(2, decay)(["cat", "car", "bat"])
    assert gram[0, 1] == pytest.approx(decay**4)
    assert gram[0, 0] == pytest.approx(2 * decay**4 + decay**6)
    normal = Subsequence(2, decay).normalized()(["cat", "car"])
    assert normal[0, 1] == pytest.approx(1 / (2 + decay**2))


def test_matching_counts_equal_places():
    assert_allclose(Matching()(["GAT", "GCT"])[0, 1], 2 / 3)
    frame = pd.DataFrame({"colour": ["red", "red", "blue"], "size": [1, 2, 2]})
    assert_allclose(Matching()(frame), [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])
    assert check_mercer(Matching(), frame).holds
    with pytest.raises(InvalidDataError, match="2 to 3 letters"):
        Matching()(["ab", "abc"])
    with pytest.raises(InvalidDataError, match="3 and 2 places"):
        Matching()(["abc"], ["ab"])


def test_intersection_of_sets():
    baskets = [{"tea", "milk"}, {"milk"}, set()]
    assert_array_equal(Intersection()(baskets), [[2, 1, 0], [1, 1, 0], [0, 0, 0]])
    assert_allclose(Intersection().normalized()(baskets)[0], [1, 1 / np.sqrt(2), 0])


def test_wrong_points_and_parameters():
    with pytest.raises(InvalidDataError, match="point 1 is int"):
        Spectrum()(["abc", 3])
    with pytest.raises(InvalidParameterError, match="length"):
        Spectrum(0)
    with pytest.raises(InvalidParameterError, match="decay"):
        Subsequence(2, 1.5)


def test_strings_in_frames():
    polars = pytest.importorskip("polars")
    texts = ["banana", "bandana"]
    columns = {"t": texts, "n": [1, 2]}
    for kernel in (Spectrum(2), Subsequence(2)):
        want = kernel(texts)
        for make in (pd.DataFrame, polars.DataFrame):
            assert_allclose(kernel(make({"t": texts})), want)
            assert_allclose(kernel.on("t")(make(columns)), want)
            assert_allclose(kernel.on(["t"])(make(columns), make(columns)), want)
            assert_allclose(kernel.on("t").diagonal(make(columns)), np.diag(want))
            with pytest.raises(InvalidDataError, match="has 2 columns"):
                kernel(make(columns))
        assert_array_equal(kernel(pd.Series(texts, index=[7, 3])), want)
    assert_allclose(Spectrum(2)(texts), [[9, 7], [7, 8]])
