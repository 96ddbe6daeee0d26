"""Pictures of paths hold the coefficients they were given."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.plot import plot_path

ALPHAS = np.logspace(0, -3, 5)
COEFS = np.arange(50.0).reshape(10, 5) - 20.0


def drawn(ax):
    """The lines of the columns: the first one is the zero line."""
    return ax.get_lines()[1:]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_lines_are_the_coefficients(tmp_path):
    ax = plot_path(ALPHAS, COEFS, highlight=[3])
    lines = sorted(drawn(ax), key=lambda line: line.get_ydata()[0])
    assert len(lines) == 10
    for line, row in zip(lines, COEFS, strict=True):
        np.testing.assert_array_equal(line.get_xdata(), ALPHAS)
        np.testing.assert_array_equal(line.get_ydata(), row)
    assert ax.get_xscale() == "log"
    assert ax.get_xlabel() == "penalty α (log scale)"
    assert ax.get_ylabel() == "coefficient"
    ax.figure.savefig(tmp_path / "path.png")


@pytest.mark.parametrize("highlight", [[3, 9], ["c", "i"], [-7, -1], np.array([3, 9])])
def test_highlighted_columns_are_named_and_coloured(highlight):
    ax = plot_path(ALPHAS, COEFS, names=list("xyzcdefghi"), highlight=highlight)
    assert legend(ax) == ["c", "i", "8 other columns"]
    first, second, *others = drawn(ax)
    np.testing.assert_array_equal(first.get_ydata(), COEFS[3])
    np.testing.assert_array_equal(second.get_ydata(), COEFS[9])
    greys = {line.get_color() for line in others}
    assert len(greys) == 1
    assert len({first.get_color(), second.get_color()} | greys) == 3


def test_few_columns_are_all_named_and_many_are_not():
    assert legend(plot_path(ALPHAS, COEFS[:3])) == ["x0", "x1", "x2"]
    assert plot_path(ALPHAS, COEFS).get_legend() is None


def test_draws_where_asked():
    ax = plot_path(ALPHAS, COEFS)
    assert plot_path(ALPHAS, COEFS, ax=ax) is ax
    assert len(ax.get_lines()) == 22


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1.0, 0.0], COEFS[:, :2]), {}, "positive"),
        (([[1.0]], COEFS), {}, "one-dimensional"),
        (([], COEFS), {}, "coefs has shape"),
        ((ALPHAS, COEFS.T), {}, r"\(n_features, 5\)"),
        ((ALPHAS, COEFS[None]), {}, "one target at a time"),
        ((ALPHAS, COEFS), {"names": ["a"]}, "1 entries for 10 columns"),
        ((ALPHAS, COEFS), {"highlight": [10]}, "the column 10"),
        ((ALPHAS, COEFS), {"highlight": ["age"]}, "the column 'age'"),
    ],
)
def test_what_cannot_be_drawn(arguments, options, message):
    with pytest.raises(InvalidParameterError, match=message):
        plot_path(*arguments, **options)
