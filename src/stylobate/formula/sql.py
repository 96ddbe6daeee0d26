"""Formulas as SQL: one SELECT, with what is used more than once computed in stages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stylobate.exceptions import FormulaError
from stylobate.formula.amounts import amount_of
from stylobate.formula.dates import seconds_since_1970
from stylobate.formula.dialects import Dialect
from stylobate.formula.evaluation_order import Names, columns_of, levels, ordered
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
from stylobate.formula.text_sets import Codes

_MANY_TREES = 8  # whose sets of texts are written as places in a string: see `Codes`
_TOGETHER = 40  # terms added side by side: databases limit how deep expressions nest


class SqlWriter:
    """Writes expressions in a dialect."""

    def __init__(self, dialect: Dialect, truths: Collection[str] | None = None) -> None:
        self.dialect = dialect
        self.truths = truths
        self.columns: dict[tuple[Any, ...], str] = {}  # names within the query
        self.named: dict[int, str] = {}
        self.codes: Codes | None = None

    def write(self, expression: Expression) -> str:
        """The SQL of an expression."""
        return _WRITERS[type(expression)](self, expression)

    def column(self, column: Column) -> str:
        return self.dialect.quoted(self.columns[column.reading])

    def reading(self, column: Column) -> str:
        """A column of the table as the model takes it: NaN is missing."""
        name = self.dialect.quoted(column.name)
        if column.kind == "number":
            return self.dialect.number_of(column.name, self.truths)
        if column.kind == "whole":
            return f"CAST({name} AS {self.dialect.whole})"
        if column.kind == "moment":
            return seconds_since_1970(self.dialect, column)
        if column.kind == "amount":
            return amount_of(self.dialect, column)
        if column.kind != "text":
            return name
        text = f"CAST({name} AS {self.dialect.text})"
        if not column.absent:
            return text
        absent = ", ".join(self.dialect.literal(each) for each in column.absent)
        trimmed = self.dialect.trimmed(text)
        value = trimmed if column.trims else text
        compared = trimmed if column.exact else f"LOWER({trimmed})"
        return f"CASE WHEN {compared} NOT IN ({absent}) THEN {value} END"

    def linear(self, sum_: Linear) -> str:
        pairs = zip(sum_.terms, sum_.weights, strict=True)
        terms = [self._term(term, weight) for term, weight in pairs]
        if sum_.constant or not terms:
            terms.insert(0, self.dialect.literal(sum_.constant))
        while len(terms) > _TOGETHER:
            groups = [terms[i : i + _TOGETHER] for i in range(0, len(terms), _TOGETHER)]
            terms = [f"({' + '.join(group)})" for group in groups]
        return f"({' + '.join(terms)})"

    def _term(self, term: Expression, weight: float) -> str:
        if weight == 1.0:
            return self.write(term)
        return f"{self._signed(weight)} * {self.write(term)}"

    def _signed(self, value: float) -> str:
        text = self.dialect.literal(value)
        return f"({text})" if text.startswith("-") else text

    def product(self, product: Product) -> str:
        return "(" + " * ".join(map(self.write, product.factors)) + ")"

    def ratio(self, ratio: Ratio) -> str:
        return f"({self.write(ratio.above)} / {self.write(ratio.below)})"

    def function(self, function: Function) -> str:
        inner = self.write(function.of)
        limit = self.dialect.exp_range
        if function.name == "exp" and limit:  # the largest of a number and NULL is the number
            clipped = f"LEAST(GREATEST({inner}, {-limit!r}), {limit!r})"
            return f"CASE WHEN {inner} IS NOT NULL THEN EXP({clipped}) END"
        name = self.dialect.log if function.name == "log" else function.name.upper()
        return f"{name}({inner})"

    def extreme(self, extreme: Extreme) -> str:
        """The largest or smallest; missing if any is, which not all databases say by themselves."""
        name = self.dialect.largest if extreme.largest else self.dialect.smallest
        values = [self.write(each) for each in extreme.among]
        call = f"{name}({', '.join(values)})"
        varying = [
            value
            for value, each in zip(values, extreme.among, strict=True)
            if not isinstance(each, Constant)
        ]
        known = " AND ".join(f"{value} IS NOT NULL" for value in varying)
        return f"CASE WHEN {known} THEN {call} END" if known else call

    def compare(self, compare: Compare) -> str:
        return f"{self.write(compare.left)} {compare.operator} {self.write(compare.right)}"

    def missing(self, missing: Missing) -> str:
        return f"{self.write(missing.of)} IS NULL"

    def either(self, either: Either) -> str:
        return "(" + " OR ".join(map(self.write, either.conditions)) + ")"

    def case(self, case: Case) -> str:
        """A case after ELSE is one more branch: databases limit how deep expressions nest."""
        branches = list(case.branches)
        otherwise = case.otherwise
        while isinstance(otherwise, Case):
            branches += otherwise.branches
            otherwise = otherwise.otherwise
        written = " ".join(
            f"WHEN {self.write(condition)} THEN {self.write(value)}"
            for condition, value in branches
        )
        found = f"CASE {written} ELSE {self.write(otherwise)} END"
        values = [value for _, value in branches] + [otherwise]
        return self._double(found) if all(map(_is_number, values)) else found

    def _double(self, written: str) -> str:
        """What is made of literals alone, as a double."""
        if not self.dialect.decimal_literals:
            return written
        return f"CAST({written} AS {self.dialect.number})"

    def filled(self, filled: Filled) -> str:
        return f"COALESCE({self.write(filled.of)}, {self.dialect.literal(filled.value)})"

    def lookup(self, lookup: Lookup) -> str:
        literal, of = self.dialect.literal, self.write(lookup.of)
        branches = [f"WHEN {of} IS NULL THEN {literal(lookup.missing)}"]
        by_value: dict[float | None, list[str]] = {}
        for key, value in zip(lookup.keys, lookup.values, strict=True):
            by_value.setdefault(value, []).append(literal(key))
        for value, keys in by_value.items():
            branches.append(f"WHEN {self._among(lookup.of, of, keys)} THEN {literal(value)}")
        return self._double(f"CASE {' '.join(branches)} ELSE {literal(lookup.default)} END")

    def _among(self, of: Expression, written: str, keys: list[str]) -> str:
        if len(keys) == 1:
            return f"{written} = {keys[0]}"
        if self.codes is not None and isinstance(of, Column) and of.kind == "text":
            return self.codes.among(of, keys, self.dialect)
        return f"{written} IN ({', '.join(keys)})"

    def tree(self, tree: TreeValue) -> str:
        """Its cases, from the innermost out without a cast at each."""
        inner = SqlWriter(replace(self.dialect, decimal_literals=False))
        inner.columns, inner.named, inner.codes = self.columns, self.named, self.codes
        return self._double(inner.write(tree.whole))

    def choice(self, choice: Choice) -> str:
        """The first score no later one exceeds, which all must be known."""
        scores = [self.write(each) for each in choice.scores]
        labels = [self.dialect.literal(label) for label in choice.labels]
        unknown = " OR ".join(
            f"{score} IS NULL"
            for score, each in zip(scores, choice.scores, strict=True)
            if not isinstance(each, Constant)
        )
        branches = [f"WHEN {unknown} THEN NULL"] if unknown else []
        for i, label in enumerate(labels[:-1]):
            best = " AND ".join(
                f"{scores[i]} {'>=' if j > i else '>'} {other}"
                for j, other in enumerate(scores)
                if j != i
            )
            branches.append(f"WHEN {best} THEN {label}")
        return f"CASE {' '.join(branches)} ELSE {labels[-1]} END"


_WRITERS: dict[type[Expression], Callable[[SqlWriter, Any], str]] = {
    Column: SqlWriter.column,
    Constant: lambda writer, constant: writer.dialect.literal(constant.value),
    Linear: SqlWriter.linear,
    Product: SqlWriter.product,
    Ratio: SqlWriter.ratio,
    Function: SqlWriter.function,
    Extreme: SqlWriter.extreme,
    Compare: SqlWriter.compare,
    Missing: SqlWriter.missing,
    Either: SqlWriter.either,
    Case: SqlWriter.case,
    Filled: SqlWriter.filled,
    Lookup: SqlWriter.lookup,
    Choice: SqlWriter.choice,
    TreeValue: SqlWriter.tree,
    Named: lambda writer, named: writer.dialect.quoted(writer.named[id(named)]),
}


def select(
    outputs: Mapping[str, Expression],
    dialect: Dialect,
    table: str,
    keep: Sequence[str] = (),
    truths: Collection[str] | None = None,
) -> str:
    """One SELECT of the outputs (and the columns to keep) for every row of a table.

    Parameters
    ----------
    outputs : mapping of str to Expression
        Names of the resulting columns and their formulas.
    dialect : Dialect
        Of which database.
    table : str
        Its name, possibly with that of its schema before a dot.
    keep : sequence of str
        Columns of the table to hand on.
    truths : collection of str or None
        Columns of truth values that are read as numbers; None if nobody knows.
    """
    clash = [name for name in keep if name.casefold() in {each.casefold() for each in outputs}]
    if clash:
        raise FormulaError(f"to_sql: the column {clash[0]!r} to keep has the name of an output.")
    writer, quoted = SqlWriter(dialect, truths), dialect.quoted
    roots = list(outputs.values())
    read = columns_of(roots)
    names = Names(keep, dialect.longest_name)
    for column in read:
        writer.columns[column.reading] = names.new(column.name)
    if dialect.name == "duckdb" and _trees(roots) >= _MANY_TREES:
        writer.codes = Codes(names)
    stages = levels(roots)
    tables = Names([table, *(part for part in table.split("."))])
    source = ".".join(quoted(part) for part in table.split("."))
    first = [quoted(name) for name in keep]
    first += [f"{writer.reading(each)} AS {writer.column(each)}" for each in read]
    steps = [(tables.new("input"), "")]  # written last: it makes what the others ask for
    for stage in stages:
        for each in stage:
            writer.named[id(each)] = names.new(each.hint)
        made = [f"{writer.write(each.of)} AS {quoted(writer.named[id(each)])}" for each in stage]
        steps.append((tables.new("step"), f"SELECT *,\n  {_listed(made)}\nFROM {steps[-1][0]}"))
    final = [quoted(name) for name in keep]
    final += [f"{writer.write(each)} AS {quoted(name)}" for name, each in outputs.items()]
    first += writer.codes.columns(writer.reading) if writer.codes else []
    steps[0] = (steps[0][0], f"SELECT {_listed(first)}\nFROM {source}")
    with_ = ",\n".join(
        f"{name} AS {dialect.once}(\n{body}{dialect.fence}\n)" for name, body in steps
    )
    return f"WITH {with_}\nSELECT {_listed(final)}\nFROM {steps[-1][0]}"


def _trees(roots: list[Expression]) -> int:
    return sum(isinstance(each, TreeValue) for each in ordered(roots))


def _is_number(value: Expression) -> bool:
    """Whether a value is a number that is written down, or missing."""
    return isinstance(value, Constant) and not isinstance(value.value, str | bool)


def _listed(items: list[str]) -> str:
    return ",\n  ".join(items) or "1 AS one"
