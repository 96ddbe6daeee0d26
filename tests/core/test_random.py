"""Counter-based random numbers: NumPy's Philox, any stretch of it."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate import _core

BLOCK = 4  # NumPy steps the counter before its first block


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (1, 0), (12345, 678), (2**64 - 1, 2**63)])
def test_uniform_is_numpys(seed, stream):
    key = np.array([seed, stream], dtype=np.uint64)
    expected = np.random.Generator(np.random.Philox(key=key)).random(50_003)
    np.testing.assert_array_equal(_core.uniform(seed, stream, BLOCK, 50_003), expected)


def test_any_stretch_is_the_same_stream():
    whole = _core.uniform(3, 4, 0, 40_000)
    for start, count in [(0, 1), (1, 5), (16_383, 3), (17, 30_000), (39_999, 1), (5, 0)]:
        np.testing.assert_array_equal(
            _core.uniform(3, 4, start, count), whole[start : start + count]
        )
