"""Columns that name their rows, and pictures of what is no tree."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stylobate.ensemble import RandomForestClassifier
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.tree import DecisionTreeClassifier, export_text, plot_tree


def rows():
    frame = pd.DataFrame({"name": [f"person {k}" for k in range(80)], "x": np.arange(80.0)})
    return frame, np.arange(80) % 2


def test_a_column_of_names_is_named():
    frame, y = rows()
    with pytest.warns(StylobateWarning, match="column 'name' has 80 different values in 80 rows"):
        DecisionTreeClassifier(max_depth=2).fit(frame, y)


def test_a_forest_is_not_drawn_as_one_tree():
    frame, y = rows()
    forest = RandomForestClassifier(3, random_state=0).fit(frame[["x"]], y)
    with pytest.raises(InvalidParameterError, match=r"estimators_\[0\]"):
        plot_tree(forest)
    assert export_text(forest.estimators_[0]).startswith("|---")
