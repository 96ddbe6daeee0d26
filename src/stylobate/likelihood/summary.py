"""The summary of a maximum-likelihood fit: data first, text second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.inference import Coefficients
from stylobate.inference.summary.html import coefficients_html, measures_html, page
from stylobate.inference.summary.text import (
    coefficients_text,
    legend,
    notes_text,
    number,
    pairs_text,
)


@dataclass(frozen=True, eq=False)
class LikelihoodSummary:
    """Estimates with standard errors from the observed information; `print` it for a table.

    The column `t` of `coefficients` is Wald's z of the hypothesis that a parameter is zero, which
    is of interest for some parameters only.
    """

    coefficients: Coefficients
    n: int
    weight_sum: float
    n_params: int
    log_likelihood: float
    aic: float
    bic: float
    gradient_norm: float
    converged: bool
    covariance: NDArray[np.float64]
    covariance_type: str
    interval: str
    level: float
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, strings and lists."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["coefficients"] = self.coefficients.to_dict()
        plain["covariance"], plain["notes"] = self.covariance.tolist(), list(self.notes)
        return plain

    def _subtitle(self) -> str:
        weighted = "" if self.weight_sum == self.n else f" (weights {number(self.weight_sum)})"
        return (
            f"{self.n} rows{weighted}, free parameters: {self.n_params}; {self.covariance_type} "
            f"standard errors, {self.interval} intervals"
        )

    def _measures(self) -> list[tuple[str, str]]:
        return [
            ("log-likelihood", number(self.log_likelihood)),
            ("converged", "yes" if self.converged else "no"),
            ("AIC", number(self.aic)),
            ("BIC", number(self.bic)),
        ]

    def __str__(self) -> str:
        body = coefficients_text(self.coefficients, self.level, "z")
        return (
            f"Maximum likelihood\n{self._subtitle()}\n\n{body}\n{legend()}\n\n"
            f"{pairs_text(self._measures())}{notes_text(self.notes)}"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = coefficients_html(self.coefficients, self.level, "z")
        numbers = measures_html(self._measures())
        return page("Maximum likelihood", self._subtitle(), table, numbers, self.notes)
