"""Pictures of coefficients hold the coefficients they were given."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.plot import plot_coefficients

FIRST, SECOND = np.array([1.0, -2.0, 0.5]), np.array([0.5, 0.0, 0.25])


def test_bars_stand_side_by_side(tmp_path):
    ax = plot_coefficients({"ols": FIRST, "lasso": SECOND}, truth=[1, 0, 0], names=["a", "b", "c"])
    left, right = ax.containers
    assert [bar.get_height() for bar in left] == FIRST.tolist()
    assert [bar.get_height() for bar in right] == SECOND.tolist()
    for k, (one, other) in enumerate(zip(left, right, strict=True)):
        assert one.get_x() + one.get_width() == pytest.approx(other.get_x())
        assert one.get_x() + other.get_x() + other.get_width() == pytest.approx(2.0 * k)
    assert left[0].get_facecolor() != right[0].get_facecolor()
    assert ax.get_lines()[0].get_ydata().tolist() == [1.0, 0.0, 0.0]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a", "b", "c"]
    assert sorted(t.get_text() for t in ax.get_legend().get_texts()) == ["lasso", "ols", "truth"]
    ax.figure.savefig(tmp_path / "coefficients.png")


def test_many_columns_are_named_here_and_there():
    ax = plot_coefficients({"ridge": np.ones(100)}, names=[f"x{k}" for k in range(1, 101)])
    assert [text.get_text() for text in ax.get_xticklabels()] == ["x1", "x21", "x41", "x61", "x81"]
    assert ax.get_xticks().tolist() == [0, 20, 40, 60, 80]
    assert plot_coefficients({"ridge": np.ones(3)}, ax=ax) is ax


@pytest.mark.parametrize(
    ("coefs", "options"),
    [
        ({}, {}),
        ({}, {"truth": FIRST}),
        ({"a": FIRST, "b": SECOND[:2]}, {}),
        ({"a": FIRST[None]}, {}),
        ({"a": FIRST}, {"truth": [1.0]}),
        ({"a": FIRST}, {"names": ["one", "two"]}),
    ],
)
def test_what_cannot_be_drawn(coefs, options):
    with pytest.raises(InvalidParameterError, match="plot_coefficients"):
        plot_coefficients(coefs, **options)
