"""Pictures of convergence hold the objectives of their traces."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import Lasso
from stylobate.optimize.trace import Trace
from stylobate.plot import plot_convergence

FAST, SLOW = Trace(objective=[5.0, 4.1, 4.0]), Trace(objective=[8.0, 6.0, 5.0, 4.5])


def test_distances_from_the_lowest_value(tmp_path):
    ax = plot_convergence({"fast": FAST, "slow": SLOW}, every=10)
    fast, slow = ax.get_lines()
    # The lowest value itself is at distance 0, which a log scale has no place for.
    np.testing.assert_array_equal(fast.get_xdata(), [10, 20])
    np.testing.assert_allclose(fast.get_ydata(), [0.25, 0.025])
    np.testing.assert_array_equal(slow.get_xdata(), [10, 20, 30, 40])
    np.testing.assert_allclose(slow.get_ydata(), [1.0, 0.5, 0.25, 0.125])
    assert fast.get_marker() != slow.get_marker()
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_xlabel()) == ("log", "log", "iteration")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["fast", "slow"]
    ax.figure.savefig(tmp_path / "convergence.png")


def test_distances_from_a_given_optimum():
    ax = plot_convergence({"fast": FAST}, optimum=2.0)
    np.testing.assert_allclose(ax.get_lines()[0].get_ydata(), [1.5, 1.05, 1.0])
    assert plot_convergence({"slow": SLOW}, ax=ax) is ax


def test_traces_of_study_solvers(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((50, 20))
    y = X[:, 0] + 0.2 * rng.standard_normal(50)
    fits = {name: Lasso(0.01, solver=name, tol=1e-8).fit(X, y) for name in ("ista", "fista")}
    ax = plot_convergence({name: fit.trace_ for name, fit in fits.items()}, every=10)
    assert [line.get_label() for line in ax.get_lines()] == ["ista", "fista"]
    for line, fit in zip(ax.get_lines(), fits.values(), strict=True):
        assert line.get_xdata()[0] == 10
        assert line.get_xdata()[-1] <= fit.n_iter_
    ax.figure.savefig(tmp_path / "study.png")


@pytest.mark.parametrize("traces", [{}, {"none": None}, {"fast": FAST, "empty": Trace()}])
def test_what_cannot_be_drawn(traces):
    with pytest.raises(InvalidParameterError, match="no iterations to draw"):
        plot_convergence(traces)
