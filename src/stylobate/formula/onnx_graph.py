"""Formulas as ONNX graphs: every value is a column of doubles of shape (n, 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from stylobate.exceptions import FormulaError
from stylobate.formula.evaluation_order import ordered
from stylobate.formula.expressions import (
    Case,
    Choice,
    Column,
    Compare,
    Constant,
    Either,
    Expression,
    Extreme,
    Filled,
    Function,
    Linear,
    Lookup,
    Missing,
    Named,
    Product,
    Ratio,
    TreeValue,
)
from stylobate.formula.onnx_trees import tree_attributes

_OPERATORS = {
    "=": "Equal",
    "<": "Less",
    "<=": "LessOrEqual",
    ">": "Greater",
    ">=": "GreaterOrEqual",
}


class OnnxWriter:
    """Collects the nodes of a graph; `value` gives the name under which an expression is found."""

    def __init__(self, inputs: Sequence[Expression], *, named: bool) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._inputs = inputs
        self._named = named
        self._prefix = "v"  # of our own names, which no column may have
        while any(str(getattr(each, "name", "")).startswith(self._prefix) for each in inputs):
            self._prefix += "_"
        self._names: dict[int, str] = {}
        self._tables: dict[tuple[str, ...], str] = {}
        self._known: dict[tuple[str, bytes], str] = {}

    def value(self, expression: Expression) -> str:
        """The tensor of an expression; its parts come first, without recursion."""
        if id(expression) in self._names:
            return self._names[id(expression)]
        for each in ordered([expression]):
            if id(each) not in self._names:
                self._names[id(each)] = _WRITERS[type(each)](self, each)
        return self._names[id(expression)]

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operation; its only output's name."""
        name = f"{self._prefix}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name

    def constant(self, value: Any) -> str:
        """A tensor that does not depend on the row."""
        array = np.asarray(value)
        key = (f"{array.dtype.str}{array.shape}", array.tobytes())
        if array.dtype.kind == "U":
            key = (f"U{array.shape}", repr(array.tolist()).encode())
            array = array.astype(object)
        if key not in self._known:
            name = f"{self._prefix}c{len(self.constants)}"
            self.constants.append(numpy_helper.from_array(array, name))
            self._known[key] = name
        return self._known[key]

    def number(self, value: float | None) -> str:
        return self.constant(np.full((1, 1), np.nan if value is None else value, dtype=np.float64))

    def table(self, names: Sequence[str]) -> str:
        """Columns side by side; the same columns only once."""
        key = tuple(names)
        if key not in self._tables:
            self._tables[key] = self.node("Concat", *names, axis=1)
        return self._tables[key]

    def several(self, expressions: Sequence[Expression]) -> str:
        """Expressions side by side; constants get as many rows as the others."""
        varying = [each for each in expressions if not isinstance(each, Constant)]
        names = []
        for each in expressions:
            name = self.value(each)
            if isinstance(each, Constant) and varying:
                zeros = self.node("Sub", self.value(varying[0]), self.value(varying[0]))
                name = self.node("Add", name, zeros)
            names.append(name)
        return self.table(names)

    # --- one method for each kind of expression -------------------------------------------------

    def column(self, column: Column) -> str:
        if column.kind == "whole":
            raise FormulaError(
                f"to_onnx: the column {column.name!r} holds whole numbers beyond 2^53, which its "
                "doubles do not tell apart; make texts of them before the fit."
            )
        if column.kind == "amount":
            raise FormulaError(
                f"to_onnx: the column {column.name!r} holds texts that read as numbers, which ONNX "
                "cannot take apart; make it a column of numbers before the fit."
            )
        if self._named:
            return column.name
        place = self.constant(np.array([column.place], dtype=np.int64))
        return self.node("Gather", "X", place, axis=1)

    def linear(self, sum_: Linear) -> str:
        if not sum_.terms:
            return self.number(sum_.constant)
        # not a matrix product: onnxruntime joins one with scalars in single precision
        made = self.several(sum_.terms)
        if set(sum_.weights) != {1.0}:
            weights = self.constant(np.array(sum_.weights, dtype=np.float64)[None, :])
            made = self.node("Mul", made, weights)
        if len(sum_.terms) > 1:
            axis = self.constant(np.array([1], dtype=np.int64))
            made = self.node("ReduceSum", made, axis, keepdims=1)
        return self.node("Add", made, self.number(sum_.constant)) if sum_.constant else made

    def product(self, product: Product) -> str:
        names = [self.value(each) for each in product.factors]
        made = names[0]
        for name in names[1:]:
            made = self.node("Mul", made, name)
        return made

    def function(self, function: Function) -> str:
        if function.name not in _NAMES:
            raise FormulaError(
                f"to_onnx: {function.name} of a double is not computed by onnxruntime; SQL does."
            )
        return self.node(_NAMES[function.name], self.value(function.of))

    def extreme(self, extreme: Extreme) -> str:
        kind = "Max" if extreme.largest else "Min"
        return self.node(kind, *(self.value(each) for each in extreme.among))

    def compare(self, compare: Compare) -> str:
        left, right = self.value(compare.left), self.value(compare.right)
        return self.node(_OPERATORS[compare.operator], left, right)

    def either(self, either: Either) -> str:
        names = [self.value(each) for each in either.conditions]
        made = names[0]
        for name in names[1:]:
            made = self.node("Or", made, name)
        return made

    def case(self, case: Case) -> str:
        made = self.value(case.otherwise)
        for condition, value in reversed(case.branches):
            made = self.node("Where", self.value(condition), self.value(value), made)
        return made

    def filled(self, filled: Filled) -> str:
        if isinstance(filled.value, str):
            return self.value(filled.of)  # `lookup` knows what "" stands for
        value = self.value(filled.of)
        return self.node("Where", self.node("IsNaN", value), self.number(filled.value), value)

    def lookup(self, lookup: Lookup) -> str:
        if all(isinstance(key, str) for key in lookup.keys) and lookup.keys:
            return self._text_lookup(lookup)
        of = self.value(lookup.of)
        made = self.number(lookup.default)
        for key, value in reversed(list(zip(lookup.keys, lookup.values, strict=True))):
            same = self.node("Equal", of, self.number(float(key)))
            made = self.node("Where", same, self.number(value), made)
        return self.node("Where", self.node("IsNaN", of), self.number(lookup.missing), made)

    def _text_lookup(self, lookup: Lookup) -> str:
        """The place of the text among the known ones, then the number at that place."""
        values = dict(zip(lookup.keys, lookup.values, strict=True))
        missing = lookup.missing
        if isinstance(lookup.of, Filled):
            missing = values.get(lookup.of.value, lookup.default)
        known = _spellings(lookup.of, values, missing)
        codes = self.node(
            "LabelEncoder",
            self.value(lookup.of),
            domain="ai.onnx.ml",
            keys_strings=list(known),
            values_int64s=list(range(len(known))),
            default_int64=len(known),
        )
        numbers = [*known.values(), lookup.default]
        table = [np.nan if each is None else float(each) for each in numbers]
        return self.node("Gather", self.constant(np.array(table)), codes, axis=0)

    def choice(self, choice: Choice) -> str:
        best = self.node("ArgMax", self.several(choice.scores), axis=1, keepdims=1)
        labels = self.constant(labels_of(choice.labels))
        return self.node("Gather", labels, best, axis=0)

    def tree(self, value: TreeValue) -> str:
        """One operation for a tree of thresholds; cases within cases where categories decide."""
        tree = value.tree
        splits = np.flatnonzero(tree.children_left >= 0)
        numbers = value.inputs.numbers
        by_category = (tree.category_start[splits] >= 0).any()
        if by_category or any(numbers[int(j)] is None for j in tree.feature[splits]):
            return self.value(value.whole)
        given = [self.value(each) for each in numbers if each is not None]
        place = np.cumsum([each is not None for each in numbers]) - 1
        leaf = self.node(
            "TreeEnsembleRegressor",
            self.table(given),
            domain="ai.onnx.ml",
            **tree_attributes(tree, place),
        )
        # it answers in single precision: with the number of the leaf, whose value is looked up
        leaf = self.node("Cast", leaf, to=TensorProto.INT64)
        leaves = np.flatnonzero(tree.children_left < 0)
        table = np.array([value.values[i] for i in leaves], dtype=np.float64)
        return self.node("Gather", self.constant(table), leaf, axis=0)

    def missing(self, missing: Missing) -> str:
        inner = missing.of
        if isinstance(inner, Column) and inner.kind == "text":
            raise FormulaError(f"to_onnx: whether the text {inner.name!r} is missing is not known.")
        return self.node("IsNaN", self.value(inner))


_NAMES = {
    "exp": "Exp", "log": "Log", "abs": "Abs", "sqrt": "Sqrt", "floor": "Floor", "sin": "Sin",
    "cos": "Cos",
}  # fmt: skip
_WRITERS: dict[type[Expression], Callable[[OnnxWriter, Any], str]] = {
    Column: OnnxWriter.column,
    Constant: lambda writer, constant: (
        writer.constant(labels_of((constant.value,))[:, None])
        if isinstance(constant.value, str)
        else writer.number(constant.value)
    ),
    Linear: OnnxWriter.linear,
    Product: OnnxWriter.product,
    Ratio: lambda writer, ratio: writer.node(
        "Div", writer.value(ratio.above), writer.value(ratio.below)
    ),
    Function: OnnxWriter.function,
    Extreme: OnnxWriter.extreme,
    Compare: OnnxWriter.compare,
    Missing: OnnxWriter.missing,
    Either: OnnxWriter.either,
    Case: OnnxWriter.case,
    Filled: OnnxWriter.filled,
    Lookup: OnnxWriter.lookup,
    Choice: OnnxWriter.choice,
    TreeValue: OnnxWriter.tree,
    Named: lambda writer, named: writer.value(named.of),
}


def _spellings(
    of: Expression, values: dict[str, float | None], missing: float | None
) -> dict[str, float | None]:
    """Known texts; where a column is trimmed with a space around them, and missing ones by name.

    ONNX can look texts up but not change them, so that further spaces and other ways to write a
    missing value in capitals and small letters are texts it does not know.
    """
    column = of.of if isinstance(of, Filled | Named) else of
    if not isinstance(column, Column) or not column.absent:
        return {"": missing} | values
    forms = (str,) if column.exact else _CASES
    absent = {form(text): missing for text in column.absent for form in forms}
    pads = ("{}", " {}", "{} ", " {} ") if column.trims else ("{}",)
    both = {"": missing} | absent | values
    return {pad.format(text): value for pad in reversed(pads) for text, value in both.items()}


_CASES = (str, str.upper, str.capitalize, str.title)


def labels_of(labels: Sequence[Any]) -> Any:
    """Labels as ONNX has them: texts, whole numbers or doubles."""
    array = np.array(list(labels))
    if array.dtype.kind == "U" and all(isinstance(label, str) for label in labels):
        return array
    if array.dtype.kind == "b" or array.dtype.kind in "iu":
        return array.astype(np.int64)
    return array.astype(np.float64)
