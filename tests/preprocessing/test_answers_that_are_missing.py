"""NaN among answers that is meant, and NaN that is not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from stylobate.exceptions import NumericalError
from stylobate.preprocessing import OrdinalEncoder, StandardScaler


def test_unknown_categories_may_be_told_by_nan():
    model = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    model.fit([[0.0], [1.0]])
    assert_array_equal(model.transform(np.array([[1.0], [7.0]])), [[1.0], [np.nan]])


def test_columns_without_a_value_in_the_fit_have_no_mean():
    X = np.array([[1.0, np.nan], [3.0, np.nan]])
    model = StandardScaler().fit(X)
    assert_array_equal(model.transform(np.array([[2.0, 5.0]])), [[0.0, np.nan]])


def test_overflow_is_still_refused():
    model = StandardScaler(with_std=False).fit(np.array([[-1.7e308], [-1.7e308]]))
    with pytest.raises(NumericalError, match="too large"):
        model.transform(np.array([[1.7e308]]))
