"""NaN and infinities: always found, the first cell named, never let through unasked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from stylobate.config import config_context
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError

BAD = st.sampled_from([np.nan, np.inf, -np.inf])
CELLS = st.lists(st.tuples(st.integers(0, 39), st.integers(0, 4), BAD), min_size=1, max_size=6)


@st.composite
def spoilt(draw):
    """A (40, 5) float array with some cells that are not finite."""
    x = np.random.default_rng(0).normal(size=(40, 5)).astype(draw(st.sampled_from(["f4", "f8"])))
    for row, column, value in draw(CELLS):
        x[row, column] = value
    return np.asfortranarray(x) if draw(st.booleans()) else x


def expected_words(x):
    rows, columns = np.nonzero(~np.isfinite(x))
    first = (rows[0], columns[0])
    word = "NaN" if np.isnan(x[first]) else "infinity"
    return word, f"row {first[0]}, column {first[1]} ", f"({len(set(rows.tolist()))} of 40 rows "


@given(spoilt(), st.sampled_from([np.asarray, sparse.csr_array, sparse.csc_matrix]))
@settings(max_examples=100, deadline=None)
def test_first_cell_is_named(x, container):
    with pytest.raises(InvalidDataError, match=r"^Ridge: X contains ") as caught:
        read_table(container(x), owner="Ridge")
    for words in expected_words(x):
        assert words in str(caught.value)


@given(spoilt())
@settings(max_examples=40, deadline=None)
def test_deferred_tables_refuse_when_asked(x):
    table = read_table(x, owner="Ridge", check_finite="deferred")
    assert not table.finite
    with pytest.raises(InvalidDataError, match="Ridge: X contains"):
        table.refuse_nonfinite()


@given(spoilt(), st.sampled_from([np.asarray, sparse.csr_array, sparse.csc_array]))
@settings(max_examples=60, deadline=None)
def test_allow_nan_lets_nan_pass_and_infinity_not(x, container):
    if np.isinf(x).any():
        with pytest.raises(InvalidDataError, match="infinity"):
            read_table(container(x), owner="Ridge", check_finite="allow-nan")
    else:
        table = read_table(container(x), owner="Ridge", check_finite="allow-nan")
        assert not table.finite


def test_finite_tables_say_so():
    x = np.ones((4, 2))
    assert read_table(x, [1, 2, 3, 4], owner="Ridge").finite
    assert read_table(x, owner="Ridge", check_finite="allow-nan").finite
    assert not read_table(x, owner="Ridge", check_finite="deferred").finite
    assert read_table(x.astype(int), owner="Ridge", check_finite="deferred").finite
    read_table(x, [1, 2, 3, 4], owner="Ridge", check_finite="deferred").refuse_nonfinite()


def test_column_names_are_used():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"fare": [1.0, 2.0, 3.0], "age": [1.0, np.nan, np.nan]})
    with pytest.raises(
        InvalidDataError,
        match=r"^Ridge: X contains NaN at row 1, column 'age' \(2 of 3 rows have missing",
    ):
        read_table(frame, owner="Ridge")


@pytest.mark.parametrize("mode", ["now", "allow-nan"])
def test_targets_are_always_checked(mode):
    x = np.ones((3, 1))
    with pytest.raises(InvalidDataError, match=r"^Ridge: y contains NaN at row 1 "):
        read_table(x, [1, np.nan, 2], owner="Ridge", check_finite=mode)
    with pytest.raises(InvalidDataError, match=r"y contains infinity.* at row 2, column 1 "):
        read_table(x, [[1, 2], [3, 4], [5, np.inf]], owner="Ridge", check_finite=mode)


def test_deferred_target_is_refused_when_asked():
    table = read_table(np.ones((2, 1)), [1.0, np.nan], owner="Ridge", check_finite="deferred")
    with pytest.raises(InvalidDataError, match="y contains NaN at row 1"):
        table.refuse_nonfinite()


def test_half_precision_overflow_and_long_doubles():
    with pytest.raises(InvalidDataError, match="infinity"):
        read_table(np.array([[np.inf]], dtype=np.float16), owner="Ridge")
    huge = np.array([[np.longdouble(10) ** 400]])
    with pytest.raises(InvalidDataError, match="infinity or a value too large for float64"):
        read_table(huge, owner="Ridge")


def test_large_finite_values_whose_sum_overflows_pass():
    assert read_table(np.full((10, 2), 1e308), owner="Ridge").finite


def test_assume_finite_skips_the_search():
    x = np.array([[np.nan]])
    with config_context(assume_finite=True):
        assert not read_table(x, owner="Ridge").finite
