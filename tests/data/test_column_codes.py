"""Columns coded and ranked by the core, against NumPy, Python and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from stylobate import _core

REALS = st.lists(st.floats() | st.sampled_from([0.0, -0.0, 1.5, np.inf, -np.inf]), max_size=80)
WHOLES = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3), max_size=80)
TEXTS = st.lists(st.none() | st.text(max_size=12) | st.sampled_from(["a", "b", ""]), max_size=80)


@given(REALS)
def test_reals(values):
    array = np.array(values, dtype=np.float64)
    ((first, codes),) = _core.code_reals([array])
    present = array[~np.isnan(array)]
    assert array[first].tolist() == np.unique(present).tolist()
    assert (codes == -1).tolist() == np.isnan(array).tolist()
    assert array[first][codes[codes >= 0]].tolist() == present.tolist()


@given(WHOLES)
def test_wholes(values):
    array = np.array(values, dtype=np.int64)
    ((first, codes),) = _core.code_wholes([array])
    gone = array == np.iinfo(np.int64).min
    assert array[first].tolist() == np.unique(array[~gone]).tolist()
    assert array[first][codes[~gone]].tolist() == array[~gone].tolist()
    assert (codes[gone] == -1).all()


@given(TEXTS)
def test_texts(values):
    ((first, codes, brief),) = _core.code_texts([values], 4)
    distinct = sorted({text for text in values if text is not None})  # as Python orders them
    assert [values[k] for k in first] == distinct
    assert [None if k < 0 else distinct[k] for k in codes] == values
    short = {k for k, text in enumerate(distinct) if len(text.strip().encode()) <= 4}
    assert short <= set(brief.tolist())


def test_long_texts_are_not_brief():
    ((_, _, brief),) = _core.code_texts([["unknown", "a longer text", " padded text "]], 7)
    assert brief.tolist() == [0, 2]


@pytest.mark.parametrize("strange", [1.5, b"x", "\ud800", np.nan])
def test_what_is_no_text_is_left(strange):
    assert _core.code_texts([["a", strange]], 7) is None


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60), st.data())
def test_ranks(places, data):
    column = np.array(places, dtype=np.int64)
    keep = st.lists(st.booleans(), min_size=len(column), max_size=len(column))
    rows = np.array(data.draw(keep))
    found = _core.centred_ranks([column, column], [7, 7], rows)
    expected = rankdata(column[rows]) - (rows.sum() + 1) / 2
    assert found.shape == (2, rows.sum())
    assert (found == expected).all()


def test_ranks_need_values():
    with pytest.raises(ValueError, match="without a value"):
        _core.centred_ranks([np.array([0, -1])], [1], np.array([True, True]))
