"""What the methods of `FormulaModel`, which are in several files, know of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

OWNER = "model"


class ModelParts:
    """Root of the classes that `FormulaModel` is put together from."""

    if TYPE_CHECKING:
        design_: Any
        target_: Any
        likelihood_fit_: Any
        coef_: Array
        names_: tuple[str, ...]
        formula: str
        family_: Any
        is_least_squares: Any
        likelihood_model: Any
        linear_fit: Any
        _rows: Any
        _remembered: Any
        _remembers_rows: Any
        _check_fitted: Any
        estimator: Any
        estimator_: Any
        zero_design_: Any
        n_dropped_: int
        _absorbed_names: Any
        _kept_rows: Any
        _named: Any
        _labels: Any
        _other_predictors: Any
        predictor: Any
        exposure_column_: str | None
        weight_column_: str | None
        has_exposure_: bool
        feature_names_in_: Any
        missing: str
        zeros: str | None
        absorbs: Any
        _stream_kept: Any

    @property
    def _model(self) -> FormulaModel:
        """The model whose methods these are."""
        return cast("FormulaModel", self)

    def _refuse_estimator(self) -> None:
        self._check_fitted()
        if self.estimator is not None:
            raise InvalidDataError(
                f"model: standard errors are those of a family; "
                f"{type(self.estimator).__name__} was fitted instead (see its own methods, or "
                "bootstrap)."
            )
