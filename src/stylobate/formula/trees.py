"""Trees as formulas: nested cases, from flat trees of any model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isinf
from typing import Any

import numpy as np

from stylobate.exceptions import FormulaError
from stylobate.formula.expressions import (
    Answer,
    Case,
    Compare,
    Constant,
    Expression,
    Linear,
    Missing,
    Named,
    Ratio,
    TreeValue,
    held,
    lookup,
)
from stylobate.formula.pieces import classes_by_scores


class TreeInputs:
    """The columns trees split: numbers, or categories that became codes.

    Parameters
    ----------
    columns : sequence of Expression
        One for each feature.
    categories : sequence of (array or None), default=None
        Those of each column, in the order of their codes; None for numbers.
    """

    def __init__(
        self, columns: Sequence[Expression], categories: Sequence[Any] | None = None
    ) -> None:
        self.categories = [None] * len(columns) if categories is None else list(categories)
        self._columns = list(columns)
        # splits refer to a column by name: nothing is computed twice
        self.numbers = [
            held(column, "input") if known is None else None
            for column, known in zip(columns, self.categories, strict=True)
        ]

        self.read = [
            self._code(j) if value is None else value for j, value in enumerate(self.numbers)
        ]

    def split(self, tree: Any, node: int, left: Expression, right: Expression) -> Expression:
        """The value of the child a row goes to; what cannot be compared takes the last branch."""
        feature = int(tree.feature[node])
        missing_left = bool(tree.missing_go_to_left[node])
        codes = tree.left_categories(node)
        if codes is not None:
            return Case(((self._among(feature, codes, missing_left), left),), right)
        value = self.read[feature]
        threshold = float(tree.threshold[node])
        if isinf(threshold):  # whether there is a value at all
            present = left if threshold > 0 else right
            return Case(((Missing(value), left if missing_left else right),), present)
        edge = Constant(threshold)
        if missing_left:
            return Case(((Compare(">", value, edge), right),), left)
        return Case(((Compare("<=", value, edge), left),), right)

    def _code(self, feature: int) -> Expression:
        known: Any = self.categories[feature]
        return lookup(self._columns[feature], [(key, float(c)) for c, key in enumerate(known)])

    def _among(self, feature: int, codes: Any, missing_left: bool) -> Expression:
        """Whether the category is one that goes left; unknown ones go where missing ones do."""
        left = {int(code) for code in codes}
        known = self.categories[feature]
        if known is None:  # codes that came as numbers
            most = max(left, default=0) + 1
            known_pairs = [(float(c), float(c in left)) for c in range(most)]
        else:
            known_pairs = [(key, float(c in left)) for c, key in enumerate(known)]
        other = float(missing_left)
        pairs = [pair for pair in known_pairs if pair[1] != other] or known_pairs[:1]
        found = lookup(self._columns[feature], pairs, default=other, missing=other)
        return Compare("=", found, Constant(1.0))


def tree_values(tree: Any, inputs: TreeInputs, output: int = 0) -> tuple[Expression, ...]:
    """The values of a row's leaf, one for each class (or the only one of a regression)."""
    count = int(tree.value.shape[2])
    if count == 1:
        return (TreeValue(tree, inputs, tuple(tree.value[:, output, 0].tolist())),)
    leaf = Named("leaf", TreeValue(tree, inputs, tuple(range(len(tree.value)))))
    leaves = np.flatnonzero(tree.children_left < 0)
    return tuple(
        lookup(leaf, [(float(i), float(tree.value[i, output, k])) for i in leaves])
        for k in range(count)
    )


def leaves_reached(
    trees: Sequence[Any], columns: Sequence[Expression], categories: Sequence[Any]
) -> list[Expression]:
    """For each leaf of each tree 1 where a row reaches it, else 0."""
    inputs, made = TreeInputs(columns, categories), []
    for tree in trees:
        leaf = Named("leaf", TreeValue(tree, inputs, tuple(range(len(tree.value)))))
        for node in np.flatnonzero(tree.children_left < 0):
            made.append(lookup(leaf, [(float(node), 1.0)], default=0.0, missing=0.0))
    return made


def nested(tree: Any, inputs: TreeInputs, values: Sequence[float]) -> Expression:
    """A tree as cases within cases, from the leaves up."""
    made: dict[int, Expression] = {}
    for node in range(len(tree.children_left) - 1, -1, -1):  # children come after their parent
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left < 0:
            made[node] = Constant(float(values[node]))
        else:
            made[node] = inputs.split(tree, node, made.pop(left), made.pop(right))
    return made[0]


def sum_of_trees(
    trees: Sequence[Any], inputs: TreeInputs, constant: float = 0.0, weight: float = 1.0
) -> Expression:
    """Weight · Σ trees + constant, of trees with one value per leaf."""
    terms = tuple(tree_values(tree, inputs)[0] for tree in trees)
    return Linear(terms, (float(weight),) * len(terms), float(constant))


def trees_answer(
    trees: Sequence[Any],
    columns: Sequence[Expression],
    categories: Sequence[Any] | None = None,
    classes: Any = None,
) -> Answer:
    """The mean of what trees say: of their numbers, or of their fractions of classes.

    Parameters
    ----------
    trees : sequence of Tree
        One, or those of a forest.
    columns : sequence of Expression
        One for each feature.
    categories : sequence of (array or None), default=None
        Those of each column, in the order of their codes.
    classes : array, default=None
        The labels of a classifier; those of several outputs have no formula.
    """
    inputs = TreeInputs(columns, categories)
    outputs = int(trees[0].value.shape[1])
    if classes is None:
        totals = (
            sum_of_trees([_of_output(tree, k) for tree in trees], inputs) for k in range(outputs)
        )
        return Answer(tuple(_mean(total, len(trees)) for total in totals))
    if outputs > 1:
        raise FormulaError("Trees that classify several outputs have no formula; fit one each.")
    each = [tree_values(tree, inputs) for tree in trees]
    sums = [Linear(column, (1.0,) * len(column)) for column in zip(*each, strict=True)]
    found = classes_by_scores(sums, classes, chances=False)
    if len(found.classes) == 1:
        return Answer(found.predictions, (Constant(1.0),), found.classes)
    scores = found.predictions[0].scores  # type: ignore[attr-defined]
    return Answer(
        found.predictions, tuple(_mean(each, len(trees)) for each in scores), found.classes
    )


def _of_output(tree: Any, output: int) -> Any:
    if tree.value.shape[1] == 1:
        return tree
    return replace(tree, value=tree.value[:, output : output + 1])


def _mean(total: Expression, count: int) -> Expression:
    return Ratio(total, Constant(float(count))) if count > 1 else total
