"""Whole numbers coded by counting, against NumPy's sorting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stylobate.data.coding import code_column, number_whole

NUMBERS = st.lists(
    st.sampled_from(
        [0.0, -0.0, 1.0, 3.0, -2.0, 700.0, 0.5, np.nan, np.inf, -np.inf, 1e300, 2.0**53]
    ),
    max_size=40,
)


@given(NUMBERS)
def test_codes_of_any_column_are_numpys(values):
    column = np.array(values)
    coded = code_column(column)
    expected, codes = np.unique(column, return_inverse=True)
    np.testing.assert_array_equal(coded.values, expected)
    np.testing.assert_array_equal(coded.codes, codes)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8, np.uint16, np.int64, bool])
def test_whole_numbers_are_counted(dtype):
    column = np.random.default_rng(0).integers(0, 100, 500).astype(dtype)
    found = number_whole(column)
    assert found is not None
    expected, codes = np.unique(column, return_inverse=True)
    assert found[0].dtype == column.dtype
    np.testing.assert_array_equal(found[0], expected)
    np.testing.assert_array_equal(found[1], codes)


def test_missing_values_come_last():
    values, codes = number_whole(np.array([2.0, np.nan, -1.0, np.nan]))
    np.testing.assert_array_equal(values, [-1.0, 2.0, np.nan])
    assert codes.tolist() == [1, 2, 0, 2]


@pytest.mark.parametrize(
    "column",
    [[0.5], [np.inf], [0, 2**40], [2**60, 2**60 + 1], [], [np.nan], [-(2.0**53)], [-0.0, 1.0]],
)
def test_other_columns_are_left_to_sorting(column):
    assert number_whole(np.array(column)) is None
