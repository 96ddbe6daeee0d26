"""The rows of a model's fit: which count, as numbers, remembered or given again."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.design.design import Design, complete_rows
from stylobate.design.frame import Frame
from stylobate.design.terms import names_in
from stylobate.exceptions import InvalidDataError
from stylobate.regression.families import ModelFamily
from stylobate.regression.likelihood_fit import RowsOfFit
from stylobate.regression.model_parts import OWNER, ModelParts


class RowMethods(ModelParts):
    """Methods of `FormulaModel` that read the rows of its fit."""

    def _kept_rows(self, frame: Frame, family: ModelFamily) -> Indices:
        from stylobate.design.terms import terms_of

        terms = terms_of(self.formula, frame.names)
        nodes = [*(node for term in terms.terms for node in term), *terms.offsets]
        nodes += [] if terms.target is None else [terms.target]
        if self.zeros is not None:
            zero = terms_of(self.zeros, frame.names)
            nodes += [node for term in zero.terms for node in term]
        names = dict.fromkeys(name for node in nodes for name in sorted(names_in(node)))
        names |= dict.fromkeys(self._absorbed_names())
        for name in names:
            frame.column(name)
        complete = complete_rows(frame, tuple(names))
        if self.missing == "refuse" and not complete.all():
            first = next(name for name in names if frame.missing(name).any())
            gone = frame.missing(first)
            raise InvalidDataError(
                f"{OWNER}: column {first!r} is missing in {int(gone.sum())} row(s), the first "
                f"being row {int(np.argmax(gone))}; fill it in, or leave such rows out with "
                "missing='drop'."
            )
        kept = np.flatnonzero(complete)
        if not len(kept):
            raise InvalidDataError(f"{OWNER}: no row has a value in every column of the formula.")
        return kept

    def _rows(self, data: Any = None) -> RowsOfFit:
        """The rows of the fit: those remembered, or given again."""
        if data is None:
            frame, kept, weight, exposure = self._remembered()
        else:
            frame = Frame.of(data, OWNER)
            kept = self._kept_rows(frame, self.family_[0])
            weight, exposure = self._given_again("weight"), self._given_again("exposure")
        family, _ = self.family_
        chosen = frame.of_rows(kept)
        y, trials = self.target_.read(chosen, family)
        weights = row_amounts(weight, frame, kept, "sample_weight", least=0.0)
        if trials is not None:
            weights = trials if weights is None else weights * trials
        offset = self.design_.offset(chosen, OWNER)
        amount = row_amounts(exposure, frame, kept, "exposure", least=0.0)
        if amount is not None:
            if not (amount > 0).all():
                raise InvalidDataError(
                    f"{OWNER}: exposure must be positive in every row, got {amount.min():g}."
                )
            offset = np.log(amount) if offset is None else offset + np.log(amount)
        zeros = None if self.zero_design_ is None else self.zero_design_.matrix(chosen, OWNER)
        x = self.design_.matrix(chosen, OWNER)
        if family.name == "ordinal":
            x = x[:, int(self.design_.has_intercept) :]
        return RowsOfFit(x, y, weights, offset, zeros)

    @property
    def _remembers_rows(self) -> bool:
        return "_rows_kept" in vars(self) or "_stream_kept" in vars(self)

    def _remembered(self) -> tuple[Frame, Indices, Any, Any]:
        """The table of the fit, which of its rows count, weights and exposures; rows that were read
        on request are collected now.
        """
        if not self._remembers_rows:
            raise InvalidDataError(
                f"{OWNER}: this needs the rows of the fit, and a model from a file has none; "
                "pass data=…, the table of the fit."
            )
        if "_rows_kept" not in vars(self):
            frame = Frame.of(self._stream_kept, OWNER)
            kept = self._kept_rows(frame, self.family_[0])
            self._rows_kept = (frame, kept, self.weight_column_, None)
        return self._rows_kept

    def _given_again(self, what: str) -> str | None:
        """The column that holds the weights or exposures of a table that is given again."""
        column: str | None = vars(self).get(f"{what}_column_")
        given = {"weight": "has_weights_", "exposure": "has_exposure_"}[what]
        if column is None and vars(self).get(given, False):
            keyword = {"weight": "weights", "exposure": "exposure"}[what]
            raise InvalidDataError(
                f"{OWNER}: the fit had {keyword}= as an array, which data= cannot bring along; fit "
                f"with the name of a column, {keyword}='…', and keep that column in the table."
            )
        return column


def row_amounts(
    given: Any, frame: Frame, kept: Indices, name: str, *, least: float
) -> Array | None:
    """Weights or exposures: numbers, or the name of a column."""
    if given is None:
        return None
    if isinstance(given, str):
        values = frame.numbers(given)
    else:
        values = np.asarray(given, dtype=np.float64)
        if values.shape != (frame.n_rows,):
            raise InvalidDataError(
                f"{OWNER}: {name} must be one number per row, shape ({frame.n_rows},), got "
                f"{values.shape}."
            )
    values = values[kept]
    bad = ~(np.isfinite(values) & (values >= least))
    if bad.any():
        raise InvalidDataError(
            f"{OWNER}: {name} must be numbers of at least {least:g}, got "
            f"{values[np.argmax(bad)]} in row {int(kept[np.argmax(bad)])}."
        )
    return values


def typical_values(frame: Frame, kept: Indices, design: Design) -> dict[str, Any]:
    """Where other columns are looked at: means of numbers, the commonest of labels that are only
    compared.
    """
    factors, found = design.factors, dict[str, Any]()
    for name in design.columns:
        if name in factors:
            continue
        if frame.is_label(name):
            labels, counts = np.unique(frame.labels(name)[kept].astype(str), return_counts=True)
            found[name] = str(labels[np.argmax(counts)])
        else:
            found[name] = float(frame.numbers(name)[kept].mean())
    return found
