"""Power and subspace iteration: rates that theory gives, and where they end."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.decomposition import PCA, subspace_iterations
from stylobate.exceptions import InvalidParameterError


def test_the_angle_shrinks_by_the_ratio_of_the_variances():
    x = np.random.default_rng(0).normal(size=(400, 4)) * [4.0, 3.0, 1.0, 0.5] + 5.0
    exact = PCA().fit(x)
    states = list(subspace_iterations(x, random_state=0))
    first = exact.components_[0]
    sines = [np.linalg.norm(s.components[0] - (s.components[0] @ first) * first) for s in states]
    ratio = exact.explained_variance_[1] / exact.explained_variance_[0]
    assert sines[20] / sines[15] == pytest.approx(ratio**5, rel=0.02)
    assert states[-1].variances[0] == pytest.approx(exact.explained_variance_[0])
    assert states[-1].residuals.max() <= 1e-10 * exact.explained_variance_[0]


def test_several_directions_at_once():
    x = np.random.default_rng(1).normal(size=(300, 6)) * [6.0, 5.0, 4.0, 1.0, 1.0, 1.0]
    *_, last = subspace_iterations(x, 3, random_state=0)
    exact = PCA(3).fit(x)
    np.testing.assert_allclose(last.components, exact.components_, atol=1e-8)
    assert len(list(subspace_iterations(x, 2, max_iter=2, random_state=0))) == 2
    with pytest.raises(InvalidParameterError, match=r"\[1, 6\]"):
        subspace_iterations(x, 7)
