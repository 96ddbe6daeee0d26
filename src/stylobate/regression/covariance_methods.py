"""Covariances of a fitted model's coefficients, of which its tests are made, and its bootstrap."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import CoefficientCovariance
from stylobate.inference.estimates import Estimates
from stylobate.regression.model_parts import ModelParts

if TYPE_CHECKING:
    from stylobate.design.frame import Frame
    from stylobate.inference import LinearFit
    from stylobate.inference.bootstrap import Bootstrap

Kind = Literal["classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"]


class CovarianceMethods(ModelParts):
    """Methods of `FormulaModel` that say how sure its estimates are."""

    def estimates(
        self,
        *,
        covariance: Kind = "classical",
        groups: Any = None,
        lags: int | None = None,
        data: Any = None,
    ) -> Estimates:
        """Coefficients with their covariance, of which all tests are made.

        Parameters
        ----------
        covariance : {"classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"}
            Those with leverages (HC2, HC3, CR2, CR3) are of least squares and, by the working
            model of their last step, of binomial, Poisson, Gamma and other exponential families.
        groups : name of a column, array-like, or two of them, optional
            Labels for "cluster" (two: both ways), "CR2" and "CR3".
        lags : int, optional
            Of "HAC".
        data : data frame, optional
            The table of the fit, for models from a file.

        Returns
        -------
        Estimates
        """
        self._refuse_estimator()
        found = self._covariance(covariance, groups, lags, data)
        known = self._determined()
        matrix = np.where(np.outer(known, known), found.matrix, np.nan)
        estimated = self.is_least_squares or self.family_[0].scale == "estimated"
        t_law = estimated or covariance in ("CR2", "CR3")
        return Estimates(
            self.names_, self.coef_, matrix, found.df if t_law else math.inf, found.kind
        )

    def _determined(self) -> Array:
        if self.is_least_squares:
            return np.asarray(self.linear_fit().estimable)
        return np.asarray(self.likelihood_fit_.determined)

    def _covariance(
        self, kind: Kind, groups: Any, lags: int | None, data: Any
    ) -> CoefficientCovariance:
        groups = self._groups(groups, data)
        if self.is_least_squares:
            from stylobate.inference.covariance.least_squares import coefficient_covariance

            rows = None if kind == "classical" else self._least_squares_rows(data)
            fit = self._clustered_fit(groups, data)
            return coefficient_covariance(fit, rows=rows, covariance=kind, groups=groups, lags=lags)
        fit = self.likelihood_fit_
        if kind == "classical":
            if groups is not None or lags is not None:
                raise InvalidParameterError(
                    "groups are used by covariance='cluster', lags by 'HAC' only."
                )
            return CoefficientCovariance(fit.inverse * fit.dispersion, kind, float(fit.df_residual))
        from stylobate.inference.covariance.sandwich import sandwich
        from stylobate.inference.covariance.working_model import KINDS, working_covariance

        rows = self._rows(data)
        if kind in KINDS and self.family_[0].exponential:
            if groups is not None and kind.startswith("HC"):
                raise InvalidParameterError(
                    f"groups are used by 'cluster', 'CR2' and 'CR3', but covariance is {kind!r}."
                )
            w = np.ones(len(rows.y)) if rows.weights is None else rows.weights
            z = self.likelihood_model.predictors(rows).at(self.coef_)
            found = self.likelihood_model.likelihood().at(rows.y, z)
            return working_covariance(
                rows.x, w * found.expected[:, 0, 0], w * found.slope[:, 0], fit.inverse, kind,
                df=float(fit.df_residual), weights=rows.weights, groups=groups,
            )  # fmt: skip
        return sandwich(
            fit.bread, self._scores(rows), kind, rank=fit.rank, n_rows=fit.n_rows,
            weights=rows.weights, groups=groups, lags=lags,
        )  # fmt: skip

    def _least_squares_rows(self, data: Any) -> tuple[Array, Array, Array | None]:
        rows = self._rows(data)
        y = rows.y if rows.offset is None else rows.y - rows.offset
        x = rows.x[:, int(self.design_.has_intercept) :]
        names = self._absorbed_names()
        if not names:
            return x, y, rows.weights
        from stylobate.regression.absorbed import AbsorbedFit

        frame, kept = self._frame_of(data)
        swept = AbsorbedFit.of(frame, names, kept, x, y, rows.weights)
        return swept.x, swept.y, rows.weights

    def _frame_of(self, data: Any) -> tuple[Frame, Indices]:
        """The table of the fit, remembered or given again, and which of its rows count."""
        if data is None:
            frame, kept = self._remembered()[:2]
            return frame, kept
        from stylobate.design.frame import Frame

        frame = Frame.of(data, "model")
        return frame, self._kept_rows(frame, self.family_[0])

    def _clustered_fit(self, groups: Any, data: Any) -> LinearFit:
        """The fit, with what its clusters need to know of absorbed levels."""
        fit: LinearFit = self.linear_fit()
        if groups is None or not fit.absorbed:
            return fit
        from stylobate.regression.absorbed import levels_within_groups

        frame, kept = self._frame_of(data)
        within = levels_within_groups(frame, self._absorbed_names(), kept, groups)
        return replace(fit, within_groups=within)

    def _scores(self, rows: Any) -> Array:
        model = self.likelihood_model
        predictors, likelihood = model.predictors(rows), model.likelihood()
        found = np.empty((len(rows.y), len(self.coef_)))
        for part in predictors.chunks():
            with np.errstate(all="ignore"):
                slope = likelihood.at(rows.y[part], predictors.at(self.coef_, part)).slope
            if rows.weights is not None:
                slope = slope * rows.weights[part, None]
            found[part] = predictors.scores(slope, part)
        return found

    def _groups(self, groups: Any, data: Any) -> Any:
        """Labels of the kept rows: columns by name, or arrays of the table's length."""
        if groups is None:
            return None
        if data is None and not self._remembers_rows:
            return groups
        frame, kept = self._frame_of(data)
        several = isinstance(groups, list | tuple) and len(groups) <= 2
        columns = list(groups) if several and not _is_vector(groups, frame.n_rows) else [groups]
        found = []
        for column in columns:
            values = frame.labels(column) if isinstance(column, str) else np.asarray(column)
            if isinstance(column, str) and any(each is None for each in values):
                raise InvalidDataError(
                    f"model: groups: column {column!r} has missing labels; every row needs one."
                )
            if values.shape[0] != frame.n_rows:
                raise InvalidDataError(
                    f"model: groups must hold one label per row of the table ({frame.n_rows}), got "
                    f"{values.shape[0]}."
                )
            taken = values[kept]
            if taken.dtype == object:
                taken = np.unique(taken.astype(str), return_inverse=True)[1]
            found.append(taken)
        return found[0] if len(found) == 1 else tuple(found)

    def bootstrap(
        self,
        *,
        kind: Literal["pairs", "wild"] = "pairs",
        groups: Any = None,
        n_samples: int = 1000,
        random_state: int | None = None,
        data: Any = None,
    ) -> Bootstrap:
        """Bootstrap all parameters.

        Least squares needs no refits: all samples come from one pass over the rows. Families are
        refitted from the estimates with the samples' counts as weights, estimators to the rows.

        Parameters
        ----------
        kind : {"pairs", "wild"}, default="pairs"
            "wild" (least squares) changes the signs of residuals and keeps the columns.
        groups : name of a column or array-like, optional
            Clusters that are drawn whole (or change signs together).
        n_samples : int >= 2, default=1000
        random_state : int or None, default=None
        data : data frame, optional
            The table of the fit, for models from a file.

        Returns
        -------
        Bootstrap
        """
        from stylobate.regression.resampling import bootstrap_model

        self._check_fitted()
        codes = self._groups(groups, data)
        return bootstrap_model(self._model, self._rows(data), kind, codes, n_samples, random_state)


def _is_vector(groups: Any, n: int) -> bool:
    """Whether a list or tuple is one column of labels."""
    return len(groups) == n and not all(
        isinstance(each, np.ndarray) or (isinstance(each, str) and n != len(groups))
        for each in groups
    )
