"""The work of `stylobate fit`: from a design to everything there is to say about the fit."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stylobate.cli.source import Design
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.report.plain_values import plain

if TYPE_CHECKING:
    from stylobate.inference import LinearFit, RegressionSummary, WorstRows
    from stylobate.linear_model.shared.regressor import LinearRegressor

CovarianceName = Literal["classical", "HC0", "HC1", "HC2", "HC3"]
INFLUENTIAL_ROWS = 3


@dataclass(frozen=True, slots=True, eq=False)
class FitReport:
    """A fitted model and what it says of itself; `worst` is None where there is a penalty."""

    source: str
    design: Design
    model: LinearRegressor
    summary: RegressionSummary
    worst: WorstRows | None
    warnings: tuple[str, ...]

    @property
    def alpha(self) -> float | None:
        """The penalty, given or chosen; None for least squares."""
        alpha = getattr(self.model, "alpha_", getattr(self.model, "alpha", None))
        return None if alpha is None else float(alpha)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; what does not exist is None."""
        design, model = self.design, self.model
        report: dict[str, Any] = plain(
            {
                "source": self.source,
                "target": design.target,
                "features": design.features,
                "left_out": design.left_out,
                "rows": {"read": design.n_source_rows, "used": len(design.rows)},
                "model": type(model).__name__,
                "alpha": self.alpha,
                "solver": {"name": model.solver_, "reason": model.solver_reason_},
                "summary": self.summary.to_dict(),
                "certificate": model.certificate_.to_dict(),
                "influential_rows": None if self.worst is None else self.worst.to_dict(),
                "warnings": self.warnings,
            }
        )
        return report


def fit(
    source: str,
    design: Design,
    *,
    alpha: float | None,
    alphas: list[float] | None,
    covariance: CovarianceName,
    level: float,
) -> FitReport:
    """Least squares, or ridge where a penalty or a choice of penalties is given."""
    from stylobate.inference import influence, summarize

    penalised = alpha is not None or alphas is not None
    _refuse_unsuitable(design, alpha, alphas, covariance)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = _model(alpha, alphas).fit(design.x, design.y)
        fitted = _named(model, design)
        rows = (design.x, design.y, None)
        summary = summarize(fitted, rows=rows, covariance=covariance, level=level)
        worst = None
        if not penalised:
            worst = influence(fitted, design.x, design.y).worst(INFLUENTIAL_ROWS)
            worst = replace(worst, rows=design.rows[worst.rows])
    said = tuple(str(warning.message) for warning in caught)
    if len(np.unique(design.y)) == 2:
        said += (
            f"{design.target} has two values; this is a line of least squares through them. "
            f"`stylobate study {source} --target {design.target}` compares classifiers.",
        )
    return FitReport(source, design, model, summary, worst, said)


def _model(alpha: float | None, alphas: list[float] | None) -> LinearRegressor:
    from stylobate.linear_model import LinearRegression, Ridge, RidgeCV

    if alphas is not None:
        return RidgeCV(alphas)
    return LinearRegression() if alpha is None else Ridge(alpha)


def _named(model: Any, design: Design) -> LinearFit:
    """Inference's view of the fit, with the names that arrays do not carry and a frame would."""
    model.feature_names_in_ = np.array(design.features, dtype=object)
    fitted: LinearFit = model.linear_fit()
    return replace(fitted, target=design.target)


def _refuse_unsuitable(
    design: Design, alpha: float | None, alphas: list[float] | None, covariance: str
) -> None:
    if alpha is not None and alphas is not None:
        raise InvalidParameterError(
            "--alpha is one penalty and --alphas several to choose from; give one of the two."
        )
    if covariance != "classical" and (alpha is not None or alphas is not None):
        raise InvalidParameterError(
            f"--covariance {covariance} has no use with a penalty, where standard errors are not "
            "valid; leave out one of the two."
        )
    n, p = design.x.shape
    if n <= p:
        raise InvalidDataError(
            f"{n} complete row(s) are too few for {p} feature(s): the summary needs more rows than "
            "columns. Choose fewer columns with --features."
        )
