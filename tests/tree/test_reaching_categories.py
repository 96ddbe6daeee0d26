"""Trees in words list the categories that still reach a node, and no others."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from stylobate.tree import DecisionTreeRegressor, export_graphviz, export_text

RNG = np.random.default_rng(2)
TOWNS = np.array(["Bern", "Cork", "Oslo", "Rome", "Wien"])
ROWS = pd.DataFrame({"town": TOWNS[RNG.integers(0, 5, 200)], "x": RNG.normal(size=200)})
HEIGHT = {"Bern": 0.0, "Cork": 4.0, "Oslo": 10.0, "Rome": 11.0, "Wien": 30.0}
TREE = DecisionTreeRegressor(max_depth=4).fit(
    ROWS, ROWS["town"].map(HEIGHT) + (ROWS["x"] > 0) * 0.5
)


def listed(words):
    found = re.search(r"town in \{(.*?)\}", words)
    return set(found[1].split(", ")) if found else None


def test_each_question_parts_what_reached_it():
    """Going down, lists only become parts of the lists above; both sides of a node are apart."""
    above: list[set[str]] = []
    sides: dict[tuple[int, tuple[str, ...]], list[set[str]]] = {}
    for line in export_text(TREE).splitlines():
        depth = line.index("---") // 4
        del above[depth:]
        towns = listed(line)
        known = above[-1] if above else set(TOWNS)
        if towns is not None:
            assert towns
            assert towns <= known, line
            sides.setdefault((depth, tuple(sorted(known))), []).append(towns)
        above.append(known if towns is None else towns)
    pairs = [pair for pair in sides.values() if len(pair) == 2]
    assert pairs
    for (depth, known), pair in sides.items():
        for left, right in zip(pair[::2], pair[1::2], strict=True):
            assert left | right == set(known), depth
            assert not left & right


def test_leaves_of_rules_are_reached_by_their_towns():
    leaves = TREE.apply(ROWS)
    reached = {leaf: set(ROWS["town"][leaves == leaf]) for leaf in np.unique(leaves)}
    for rule in TREE.rules():
        towns = [set(each.split(", ")) for each in re.findall(r"town in \{(.*?)\}", rule)]
        if towns:
            assert towns[-1] in reached.values(), rule


@pytest.mark.parametrize("town", TOWNS)
def test_the_way_of_a_row_names_its_town(town):
    said = TREE.explain_row(pd.DataFrame({"town": [town], "x": [0.2]}))
    for line in said.splitlines():
        towns = listed(line)
        assert towns is None or town in towns
    assert "Bern, Cork" in export_graphviz(TREE)
