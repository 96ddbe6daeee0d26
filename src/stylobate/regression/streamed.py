"""A formula's fit to rows that are read on request: a few passes, and no rows kept.

The first pass learns what the design remembers: the labels of factors with their counts, the means
of numbers, and the values that scales and curves are made of (one number per row and curve, the
only thing that grows with the rows). The second one gives the rows of the design to the estimator,
which learns from their moments (and takes a third pass for residuals where that gains digits).
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.config import get_config
from stylobate.data.streams import Batch, Stream, open_rows
from stylobate.design.arithmetic import value_of
from stylobate.design.curves import CURVES, PolynomialVariable, SplineVariable
from stylobate.design.design import Design, Variable, complete_rows
from stylobate.design.frame import Frame
from stylobate.design.syntax import Call, Name, Node, written
from stylobate.design.terms import Terms, names_in, terms_of
from stylobate.design.variables import (
    FactorVariable,
    NumberVariable,
    ScaledVariable,
    factor_column,
)
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.regression.overlaps import single_row_note
from stylobate.regression.target import TargetVariable

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

_KINDS: dict[str, Any] = {
    "scale": ScaledVariable, "center": ScaledVariable, "poly": PolynomialVariable,
    **dict.fromkeys(CURVES[:2], SplineVariable),
}  # fmt: skip


def opened(data: Any) -> Any:
    """What a path names, by its ending; anything else as it is."""
    if not isinstance(data, str | PathLike):
        return data
    from stylobate.data.reading import read

    return read(data)


def is_read_on_request(data: Any) -> bool:
    """Whether rows come in batches, as often as asked, here or on a cluster."""
    from stylobate.data.streams import is_stream

    return is_stream(data) and bool(open_rows(data, "model").stream.repeatable)


@dataclass(frozen=True, eq=False)
class Tally:
    """What one pass learns of the columns.

    Parameters
    ----------
    n_rows, n_kept : int
    counts : dict of dicts
        How many rows have each label, by column.
    sums : dict of str to float
        Of numbers.
    values : dict of str to list of arrays
        What scales and curves are made of, by their text.
    """

    n_rows: int
    n_kept: int
    counts: dict[str, dict[Any, int]]
    sums: dict[str, float]
    values: dict[str, list[Array]]

    def merge(self, other: Tally) -> Tally:
        """With the rows that follow."""
        counts = {name: dict(each) for name, each in self.counts.items()}
        for name, more in other.counts.items():
            for label, count in more.items():
                counts[name][label] = counts[name].get(label, 0) + count
        values = {name: [*each, *other.values[name]] for name, each in self.values.items()}
        held = sum(part.nbytes for each in values.values() for part in each)
        if held > int(get_config()["collect_limit"]):
            raise UnsupportedDataError(
                f"model: the values of {', '.join(values)} take more than {held / 1e6:,.0f} MB, "
                "which knots and scales are made of; give knots=[…], or raise the limit by "
                "set_config(collect_limit=<bytes>)."
            )
        sums = {name: value + other.sums[name] for name, value in self.sums.items()}
        n_rows, n_kept = self.n_rows + other.n_rows, self.n_kept + other.n_kept
        return Tally(n_rows, n_kept, counts, sums, values)


def fit_stream(model: FormulaModel, data: Any, weights: str | None) -> None:
    """Fit a model of least squares, or of an estimator that learns from streams."""
    stream, terms, read = _needed(model.formula, data, weights)
    head = stream.head()
    if head is None:
        raise InvalidDataError(f"model: {stream.name} has no rows.")
    first = Frame.of(head.x, "model")
    for name in (*read, *([] if weights is None else [weights])):
        first.column(name)
    tally = _tally(stream, terms, first, read, model.missing)
    model.n_dropped_ = tally.n_rows - tally.n_kept
    model.design_ = _design(model, terms, first, tally)
    model.target_ = TargetVariable.fit(
        terms.target, first, np.arange(first.n_rows), model.family_[0]
    )
    model.typical_ = {name: total / tally.n_kept for name, total in tally.sums.items()}
    for name, counts in tally.counts.items():
        if name not in model.design_.factors:
            model.typical_[name] = max(sorted(counts, key=str), key=lambda each: counts[each])
    lonely = [
        f"{label!r} of {name}"
        for name in model.design_.factors
        for label, count in tally.counts[name].items()
        if count == 1
    ]
    model.data_notes_ = single_row_note(lonely)
    model.feature_names_in_ = np.array(model.design_.columns, dtype=object)
    complete = stream.chosen(lambda batch: _complete(Frame.of(batch.x, "model"), read, "drop"))
    _fit(model, complete, weights, tally.n_kept)


def _needed(formula: str, data: Any, weights: str | None) -> tuple[Stream, Terms, list[str]]:
    """The rows with the columns that the formula reads, where their names are known before a pass;
    its terms; and these columns.
    """
    if hasattr(data, "collect_schema"):  # a lazy frame, which warns of its `columns`
        names: Any = data.collect_schema().names()
    else:
        names = getattr(data, "columns", None)
        names = names() if callable(names) else names  # of Ray
    stream = open_rows(data, "model").stream if names is None else None
    if stream is not None:
        head = stream.head()
        names = () if head is None else Frame.of(head.x, "model").names
    terms = terms_of(formula, [str(name) for name in names])
    nodes = [*(node for term in terms.terms for node in term), *terms.offsets]
    nodes += [] if terms.target is None else [terms.target]
    read = list(dict.fromkeys(name for node in nodes for name in sorted(names_in(node))))
    if stream is None:
        used = list(dict.fromkeys((*read, *([] if weights is None else [weights]))))
        shown = Frame(dict.fromkeys(map(str, names)), 0, "model")
        for name in used:
            shown.column(name)
        stream = open_rows(data, "model", features=used).stream
    return stream, terms, read


def _complete(frame: Frame, read: list[str], missing: str) -> Mask:
    """Which rows have a value in every column; others are refused or left out."""
    complete = complete_rows(frame, tuple(read))
    if missing == "refuse" and not complete.all():
        name = next(name for name in read if frame.missing(name).any())
        raise InvalidDataError(
            f"model: column {name!r} is missing in row {int(np.argmax(frame.missing(name)))}; fill "
            "it in, or leave such rows out with missing='drop'."
        )
    return complete


def _tally(stream: Stream, terms: Terms, first: Frame, read: list[str], missing: str) -> Tally:
    nodes = {written(node): node for term in terms.terms for node in term}
    curves = {
        text: node.arguments[0]
        for text, node in nodes.items()
        if isinstance(node, Call) and node.function in _KINDS and node.arguments
    }
    factors = {factor_column(node) for node in nodes.values() if _is_factor(node, first)}
    right = set().union(*map(names_in, (*nodes.values(), *terms.offsets)), set())
    labels = sorted(factors | {name for name in right if first.is_label(name)})
    numbers = [name for name in read if name in right and name not in labels]

    def of(batch: Batch, _: int) -> Tally:
        every = Frame.of(batch.x, "model")
        kept = np.flatnonzero(_complete(every, read, missing))
        frame = every.of_rows(kept)
        counts = {name: _counted(frame.labels(name).tolist()) for name in labels}
        sums = {name: float(frame.numbers(name).sum()) for name in numbers}
        values = {text: [value_of(node, frame)] for text, node in curves.items()}
        return Tally(every.n_rows, frame.n_rows, counts, sums, values)

    found = stream.reduced(of, Tally.merge)
    if found is None or not found.n_kept:
        raise InvalidDataError("model: no row has a value in every column of the formula.")
    return found


def _counted(labels: list[Any]) -> dict[Any, int]:
    counts: dict[Any, int] = {}
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
    return counts


def _is_factor(node: Node, first: Frame) -> bool:
    if isinstance(node, Call):
        return node.function == "C"
    return isinstance(node, Name) and first.is_factor(node.name)


def _design(model: FormulaModel, terms: Terms, first: Frame, tally: Tally) -> Design:
    variables: dict[str, Variable] = {}
    for term in terms.terms:
        for node in term:
            if written(node) not in variables:
                variables[written(node)] = _variable(node, first, tally, model.contrast)
    return Design.of(model.formula, terms, variables)


def _variable(node: Node, first: Frame, tally: Tally, contrast: str) -> Variable:
    if _is_factor(node, first):
        column = factor_column(node)
        seen = set(tally.counts[column])
        order = first.categories(column)
        order = order if order is not None and seen.issubset(order) else None
        return FactorVariable.of(node, contrast, seen, order, first.owner)
    if written(node) in tally.values and isinstance(node, Call):
        kind = _KINDS[node.function]
        made: Variable = kind.of(node, np.concatenate(tally.values[written(node)]))
        return made
    value_of(node, first)  # refuses what is no number
    return NumberVariable(node)


def _fit(model: FormulaModel, stream: Stream, weights: str | None, n_rows: int) -> None:
    """Give the rows of the design to the estimator."""
    from stylobate.base import clone
    from stylobate.linear_model import LinearRegression

    design, family = model.design_, model.family_[0]
    skip = int(design.has_intercept)

    def rows(frame: Frame) -> tuple[Array, Array]:
        y, _ = model.target_.read(frame, family)
        offset = design.offset(frame, "model")
        x = design.matrix(frame, "model")[:, skip:]
        x = x if x.shape[1] else np.zeros((frame.n_rows, 1))
        return x, y if offset is None else y - offset

    def made(batch: Batch, _: int) -> Batch:
        frame = Frame.of(batch.x, "model")
        x, y = rows(frame)
        named = x if model.estimator is None else model._block(x)
        return Batch(named, y, None if weights is None else frame.numbers(weights))

    designed = stream.map_batches(made)
    if model.estimator is None:
        model.estimator_ = LinearRegression(fit_intercept=design.has_intercept)
        model.estimator_.fit(designed)
        model._after_least_squares(n_rows)
    else:
        model.estimator_ = clone(model.estimator).fit(designed)
        model._after_estimator()
