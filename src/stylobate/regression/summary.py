"""The summary of a model fitted by maximum likelihood: data first, text second."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

from stylobate.arrays import Array
from stylobate.inference.summary.html import coefficients_html, measures_html, page
from stylobate.inference.summary.regression import Coefficients
from stylobate.inference.summary.text import (
    WIDTH,
    coefficients_text,
    legend,
    notes_text,
    number,
    p_value,
    pairs_text,
)


@dataclass(frozen=True, eq=False)
class ModelSummary:
    """Coefficients with errors and tests, deviance and criteria; `print` it for a table.

    Quantities that a family does not have are NaN. `lr` compares with the model of the intercept
    alone.
    """

    formula: str
    title: str
    family: str
    link: str
    target: str
    coefficients: Coefficients
    n: int
    weight_sum: float
    n_params: int
    df_residual: int
    dispersion: float
    dispersion_estimated: bool
    deviance: float
    null_deviance: float
    pearson: float
    log_likelihood: float
    null_log_likelihood: float
    pseudo_r2: float
    lr: float
    lr_df: int
    lr_p: float
    aic: float
    bic: float
    covariance_type: str
    covariance: Array
    df_inference: float
    level: float
    certificate: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, strings and lists."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["coefficients"] = self.coefficients.to_dict()
        plain["covariance"], plain["notes"] = self.covariance.tolist(), list(self.notes)
        return plain

    def _measures(self) -> list[tuple[str, str]]:
        every = [
            ("log-likelihood", self.log_likelihood),
            ("AIC", self.aic),
            ("deviance", self.deviance),
            ("BIC", self.bic),
            ("null deviance", self.null_deviance),
            ("pseudo R²", self.pseudo_r2),
            ("Pearson χ²", self.pearson),
            ("dispersion", self.dispersion),
        ]
        found = [(name, number(value)) for name, value in every if value == value]
        if self.lr == self.lr:
            found += [(f"LR, {self.lr_df} df", number(self.lr)), ("p", p_value(self.lr_p))]
        return found if len(found) % 2 == 0 else [*found, ("rows", str(self.n))]

    def _subtitle(self) -> str:
        return (
            f"{self.n} rows, {self.df_residual} residual degrees of freedom; "
            f"{self.covariance_type} standard errors"
        )

    def __str__(self) -> str:
        law = "z" if self.df_inference == float("inf") else "t"
        body = coefficients_text(self.coefficients, self.level, law)
        head = textwrap.shorten(f"{self.title} ({self.link} link): {self.formula}", WIDTH)
        proof = textwrap.fill(self.certificate, WIDTH)
        return (
            f"{head}\n{self._subtitle()}\n\n{body}\n{legend()}\n\n"
            f"{pairs_text(self._measures())}\n\n{proof}{notes_text(self.notes)}"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        law = "z" if self.df_inference == float("inf") else "t"
        table = coefficients_html(self.coefficients, self.level, law)
        title = f"{self.title} ({self.link} link): {self.formula}"
        notes = (self.certificate, *self.notes)
        return page(title, self._subtitle(), table, measures_html(self._measures()), notes)
