"""The work of `stylobate fit`: from a design to everything there is to say about the fit."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stylobate.cli.large_design import LargeDesign
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
    """A fitted model and what it says of itself.

    `worst` is None where there is a penalty, or the rows were read in batches; `choice` says how
    the penalty of such rows was chosen, if it was.
    """

    source: str
    design: Design | LargeDesign
    model: LinearRegressor
    summary: RegressionSummary
    worst: WorstRows | None
    warnings: tuple[str, ...]
    choice: str | None = None

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
                "rows": {"read": design.n_source_rows, "used": design.n_used},
                "model": type(model).__name__,
                "alpha": self.alpha,
                "solver": {"name": model.solver_, "reason": model.solver_reason_},
                "summary": self.summary.to_dict(),
                "certificate": model.certificate_.to_dict(),
                "influential_rows": None if self.worst is None else self.worst.to_dict(),
                "warnings": self.warnings,
            }
        )
        if isinstance(design, LargeDesign):
            report["reading"] = design.reading()
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
    _refuse_options(alpha, alphas, covariance)
    _refuse_few(*design.x.shape)
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
        said += (_two_values(source, design.target),)
    return FitReport(source, design, model, summary, worst, said)


def fit_large(
    source: str,
    design: LargeDesign,
    *,
    alpha: float | None,
    alphas: list[float] | None,
    covariance: CovarianceName,
    level: float,
) -> FitReport:
    """As `fit`, from the moments of rows that are read in batches; the penalty by hashed folds."""
    from stylobate.inference import summarize

    _refuse_options(alpha, alphas, covariance)
    if covariance != "classical":
        raise InvalidParameterError(
            f"--covariance {covariance} needs the rows in memory, and these take more than "
            "--memory allows; allow more, or leave it out."
        )
    choice = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if alphas is not None:
            model, choice = _best_ridge(design, alphas)
        else:
            model = _model(alpha, None).fit(design.rows)
        _refuse_few(design.n_used, len(design.features))
        summary = summarize(_named(model, design), covariance=covariance, level=level)
    said = tuple(str(warning.message) for warning in caught)
    if design.target_has_two_values:
        said += (_two_values(source, design.target),)
    return FitReport(source, design, model, summary, None, said, choice)


def _best_ridge(design: LargeDesign, alphas: list[float]) -> tuple[Any, str]:
    from stylobate.linear_model import Ridge
    from stylobate.model_selection import GridSearchCV

    search = GridSearchCV(Ridge(), {"alpha": alphas}, scoring="neg_mean_squared_error")
    search.fit(design.rows)
    best = float(search.best_params_["alpha"])
    choice = (
        f"Penalty: alpha = {best:g}, the best of {len(alphas)} by {search.n_splits_} folds of the "
        f"rows' numbers (mean squared error {-search.best_score_:.6g})."
    )
    return search.best_estimator_, choice


def _two_values(source: str, target: str) -> str:
    return (
        f"{target} has two values; this is a line of least squares through them. "
        f"`stylobate study {source} --target {target}` compares classifiers."
    )


def _model(alpha: float | None, alphas: list[float] | None) -> LinearRegressor:
    from stylobate.linear_model import LinearRegression, Ridge, RidgeCV

    if alphas is not None:
        return RidgeCV(alphas)
    return LinearRegression() if alpha is None else Ridge(alpha)


def _named(model: Any, design: Design | LargeDesign) -> LinearFit:
    """Inference's view of the fit, with the names that arrays do not carry and a frame would."""
    model.feature_names_in_ = np.array(design.features, dtype=object)
    fitted: LinearFit = model.linear_fit()
    return replace(fitted, target=design.target)


def _refuse_options(alpha: float | None, alphas: list[float] | None, covariance: str) -> None:
    if alpha is not None and alphas is not None:
        raise InvalidParameterError(
            "--alpha is one penalty and --alphas several to choose from; give one of the two."
        )
    if covariance != "classical" and (alpha is not None or alphas is not None):
        raise InvalidParameterError(
            f"--covariance {covariance} has no use with a penalty, where standard errors are not "
            "valid; leave out one of the two."
        )


def _refuse_few(n: int, p: int) -> None:
    if n <= p:
        raise InvalidDataError(
            f"{n} complete row(s) are too few for {p} feature(s): the summary needs more rows than "
            "columns. Choose fewer columns with --features."
        )
