"""Distinct values of columns of numbers against NumPy's sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stylobate.data.coding import code_column


def same_as_sorting(column: Any) -> None:
    values, codes = np.unique(column, return_inverse=True)
    coded = code_column(column)
    assert coded.values.dtype == values.dtype
    assert coded.values.tobytes() == values.tobytes()
    np.testing.assert_array_equal(coded.codes, codes)


@given(
    hnp.arrays(
        st.sampled_from([np.float64, np.float32]),
        st.integers(1, 30),
        elements=st.sampled_from([0.0, 1.0, 2.0, 7.0, 29.0, np.nan]),
    )
)
def test_whole_numbers_and_gaps(column: Any) -> None:
    same_as_sorting(column)


@given(
    hnp.arrays(
        st.sampled_from([np.uint8, np.int8, np.int64, np.uint64]),
        st.integers(1, 30),
        elements=st.integers(0, 100),
    )
)
def test_integers(column: Any) -> None:
    same_as_sorting(column)


@pytest.mark.parametrize(
    "column",
    [
        np.array([-0.0, 1.0]),
        np.array([0.5, 1.0, 0.5]),
        np.array([-1.0, 1.0]),
        np.array([np.inf, 1.0]),
        np.array([np.nan, np.nan]),
        np.array([2.0**60, 1.0]),
        np.arange(256, dtype=np.uint8),
        np.array([], dtype=float),
        np.array([True, False]),
    ],
    ids=str,
)
def test_what_cannot_be_counted(column: Any) -> None:
    same_as_sorting(column)
