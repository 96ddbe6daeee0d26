"""A design: from a formula and a table to a matrix with named columns, and again for new rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array, Indices, Mask
from stylobate.design.arithmetic import expression_of, value_of
from stylobate.design.coding import codings
from stylobate.design.curves import CURVES, PolynomialVariable, SplineVariable
from stylobate.design.frame import Frame
from stylobate.design.syntax import Call, Name, Node, written
from stylobate.design.terms import Term, Terms, names_in, term_name, terms_of
from stylobate.design.variables import FactorVariable, NumberVariable, ScaledVariable
from stylobate.exceptions import FormulaError, InvalidDataError
from stylobate.formula.expressions import Constant, Expression, Linear, Product

Variable = FactorVariable | NumberVariable | PolynomialVariable | ScaledVariable | SplineVariable
Missing = Literal["refuse", "drop"]
INTERCEPT = "(Intercept)"


@dataclass(frozen=True, eq=False)
class Design:
    """The fitted right side of a formula.

    Parameters
    ----------
    formula : str
    terms : Terms
    variables : dict of str to variable
        Every factor of the terms by its text, with what it saw at the fit.
    names : tuple of str
        The columns, the intercept first if there is one.
    slices : tuple of (int, int)
        Where the columns of each term are, in the order of `terms`.
    columns : tuple of str
        The columns of the table it reads (offsets included).

    Examples
    --------
    >>> data = {"y": [1.0, 2.0, 3.0], "g": ["a", "b", "b"], "x": [0.5, 1.0, 2.0]}
    >>> design = Design.fit("y ~ g + x", Frame.of(data, "model"))
    >>> design.names
    ('(Intercept)', 'g[b]', 'x')
    >>> design.matrix({"g": ["b"], "x": [7.0]})
    array([[1., 1., 7.]])
    """

    formula: str
    terms: Terms
    variables: dict[str, Variable]
    names: tuple[str, ...]
    slices: tuple[tuple[int, int], ...]
    columns: tuple[str, ...]

    @classmethod
    def fit(
        cls,
        formula: str,
        frame: Frame,
        *,
        contrast: str = "Treatment",
        kept: Indices | None = None,
    ) -> Design:
        """Remember levels, knots and scales of the rows that are `kept` (all by default)."""
        terms = terms_of(formula, frame.names)
        rows = np.arange(frame.n_rows) if kept is None else kept
        variables: dict[str, Variable] = {}
        for term in terms.terms:
            for node in term:
                if written(node) not in variables:
                    variables[written(node)] = _variable(node, frame, rows, contrast)
        return cls.of(formula, terms, variables)

    @classmethod
    def of(cls, formula: str, terms: Terms, variables: dict[str, Variable]) -> Design:
        """The design of variables that know their levels, knots and scales."""
        plan = cls(formula, terms, variables, (), (), _columns_of(terms))
        labels = [[part[0] for part in plan._term_parts(i)] for i in range(len(terms.terms))]
        names, slices = [INTERCEPT] if terms.intercept else [], []
        for parts in labels:
            found = [name for part in parts for name in part]
            slices.append((len(names), len(names) + len(found)))
            names += found
        return cls(formula, terms, variables, tuple(names), tuple(slices), plan.columns)

    @property
    def has_intercept(self) -> bool:
        """Whether the first column is the intercept."""
        return self.terms.intercept

    @property
    def factors(self) -> dict[str, FactorVariable]:
        """The factors by the name of their column."""
        found = (each for each in self.variables.values() if isinstance(each, FactorVariable))
        return {each.column: each for each in found}

    def term_slice(self, i: int) -> slice:
        """The columns of a term."""
        return slice(*self.slices[i])

    # --- the coding of terms ----------------------------------------------------------------------

    def _codings(self) -> list[list[tuple[tuple[str, bool], ...]]]:
        groups: dict[frozenset[str], list[int]] = {}
        for i, term in enumerate(self.terms.terms):
            groups.setdefault(frozenset(self._numeric(term)), []).append(i)
        found: list[list[tuple[tuple[str, bool], ...]]] = [[] for _ in self.terms.terms]
        for numeric, members in groups.items():
            factors = [
                tuple(written(node) for node in self.terms.terms[i] if self._is_factor(node))
                for i in members
            ]
            for i, parts in zip(
                members, codings(factors, self.has_intercept and not numeric), strict=True
            ):
                found[i] = parts
        return found

    def _is_factor(self, node: Node) -> bool:
        return isinstance(self.variables[written(node)], FactorVariable)

    def _numeric(self, term: Term) -> list[str]:
        return [written(node) for node in term if not self._is_factor(node)]

    def _term_parts(self, i: int) -> Iterator[tuple[list[str], list[tuple[str, bool]]]]:
        """For each part of a term the names of its columns, and (variable, all levels) in order."""
        term = self.terms.terms[i]
        for coded in self._codings()[i]:
            full = dict(coded)
            chosen = [
                (written(node), full.get(written(node), False))
                for node in term
                if written(node) in full or not self._is_factor(node)
            ]
            labels = [self._labels(name, whole) for name, whole in chosen]
            # the first factor's levels change fastest, as in R
            names = [":".join(reversed(each)) for each in product(*reversed(labels))]
            yield names, chosen

    def _labels(self, name: str, full: bool) -> tuple[str, ...]:
        variable = self.variables[name]
        if isinstance(variable, FactorVariable):
            return variable.coding(full)[1]
        return variable.labels()

    # --- matrices ---------------------------------------------------------------------------------

    def matrix(self, data: Any, owner: str = "model") -> Array:
        """The columns for the rows of a table, (n, k); rows are refused if something is missing.

        Parameters
        ----------
        data : data frame or mapping of names to columns
        owner : str
            Named in refusals.
        """
        frame = Frame.of(data, owner)
        self.refuse_missing(frame)
        out = np.empty((frame.n_rows, len(self.names)), order="F")
        if self.has_intercept:
            out[:, 0] = 1.0
        cache: dict[tuple[str, bool], Array] = {}
        for i, (start, _) in enumerate(self.slices):
            at = start
            for _, chosen in self._term_parts(i):
                blocks = [self._block(frame, name, full, cache) for name, full in chosen]
                made = _products(blocks, frame.n_rows)
                out[:, at : at + made.shape[1]] = made
                at += made.shape[1]
        self._refuse_infinite(out, frame)
        return out

    def _block(
        self, frame: Frame, name: str, full: bool, cache: dict[tuple[str, bool], Array]
    ) -> Array:
        if (name, full) not in cache:
            variable = self.variables[name]
            if isinstance(variable, FactorVariable):
                cache[name, full] = variable.coding(full)[0][variable.codes(frame)]
            else:
                cache[name, full] = variable.columns(frame)
        return cache[name, full]

    def offset(self, data: Any, owner: str = "model") -> Array | None:
        """What is added to the predictor of each row; None without an offset in the formula."""
        if not self.terms.offsets:
            return None
        frame = Frame.of(data, owner)
        total = np.zeros(frame.n_rows)
        for node in self.terms.offsets:
            value = value_of(node, frame)
            if not np.isfinite(value).all():
                row = int(np.argmin(np.isfinite(value)))
                raise InvalidDataError(
                    f"{owner}: offset({written(node)}) is {value[row]} in row {row}; an offset "
                    "must be a number in every row."
                )
            total += value
        return total

    def refuse_missing(self, frame: Frame) -> None:
        """Refuse rows in which a column of the formula is missing."""
        for name in self.columns:
            gone = frame.missing(name)
            if gone.any():
                raise InvalidDataError(
                    f"{frame.owner}: column {name!r} is missing in {int(gone.sum())} row(s), the "
                    f"first being row {int(np.argmax(gone))}; fill it in, or leave such rows out "
                    "with missing='drop'."
                )

    def _refuse_infinite(self, matrix: Array, frame: Frame) -> None:
        if np.isfinite(matrix).all():
            return
        row, column = (int(each[0]) for each in np.nonzero(~np.isfinite(matrix)))
        raise InvalidDataError(
            f"{frame.owner}: {self.names[column]} is {matrix[row, column]} in row {row}; leave "
            "such rows out, or choose a function that is defined there."
        )

    # --- formulas ---------------------------------------------------------------------------------

    def expressions(self, columns: list[Expression], names: list[str]) -> list[Expression]:
        """The matrix as formulas of the table's columns, from which SQL is written."""
        by_name = dict(zip(names, columns, strict=True))
        found: list[Expression] = [Constant(1.0)] if self.has_intercept else []
        for i in range(len(self.slices)):
            for _, chosen in self._term_parts(i):
                blocks = []
                for name, full in chosen:
                    variable = self.variables[name]
                    if isinstance(variable, FactorVariable):
                        blocks.append(variable.expressions(by_name, full))
                    else:
                        blocks.append(variable.expressions(by_name))
                for each in product(*reversed(blocks)):
                    factors = tuple(reversed(each))
                    found.append(factors[0] if len(factors) == 1 else Product(factors))
        return found

    def offset_expression(self, columns: list[Expression], names: list[str]) -> Expression | None:
        """The offset as a formula."""
        by_name = dict(zip(names, columns, strict=True))
        parts = tuple(expression_of(node, by_name) for node in self.terms.offsets)
        return Linear(parts, (1.0,) * len(parts)) if parts else None


def _products(blocks: list[Array], n: int) -> Array:
    """Every product of one column from each block, the first block's changing fastest."""
    made = np.ones((n, 1))
    for block in blocks:
        made = (block[:, :, None] * made[:, None, :]).reshape(n, -1)
    return made


def _columns_of(terms: Terms) -> tuple[str, ...]:
    """The columns that the right side reads, in the order they are named."""
    nodes = [*(node for term in terms.terms for node in term), *terms.offsets]
    found: dict[str, None] = {}
    for node in nodes:
        found.update(dict.fromkeys(sorted(names_in(node))))
    return tuple(found)


def _variable(node: Node, frame: Frame, kept: Indices, contrast: str) -> Variable:
    for name in sorted(names_in(node)):
        frame.column(name)
    if isinstance(node, Name) and frame.is_factor(node.name):
        return FactorVariable.fit(node, frame, kept, contrast)
    if isinstance(node, Call):
        if node.function == "C":
            return FactorVariable.fit(node, frame, kept, contrast)
        if node.function in CURVES:
            _refuse_unused(node)
            kind = PolynomialVariable if node.function == "poly" else SplineVariable
            return kind.fit(node, frame, kept)
        if node.function in ("scale", "center"):
            return ScaledVariable.fit(node, frame, kept)
    value_of(node, frame)  # refuses what is no number
    return NumberVariable(node)


def _refuse_unused(node: Call) -> None:
    if not node.arguments:
        raise FormulaError(f"{written(node)}: {node.function} takes the name of a column first.")


def complete_rows(frame: Frame, names: tuple[str, ...]) -> Mask:
    """Which rows have a value in every one of the columns."""
    complete = np.ones(frame.n_rows, dtype=bool)
    for name in names:
        complete &= ~frame.missing(name)
    return complete


def describe_terms(design: Design) -> list[str]:
    """The names of the terms, as tables show them."""
    return [term_name(term) for term in design.terms.terms]
