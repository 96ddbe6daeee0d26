"""Columns made more nearly normal by powers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.base import Options, Tags
from stylobate.base.batches import batch_door
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import FormulaError, InvalidDataError, NumericalError, StylobateWarning
from stylobate.preprocessing.scaling.columns import ColumnTransformerBase
from stylobate.preprocessing.scaling.far_powers import bend_about, middles, unbend_about
from stylobate.preprocessing.scaling.likeliest_power import (
    box_cox,
    inverse_box_cox,
    inverse_yeo_johnson,
    likeliest_box_cox,
    likeliest_yeo_johnson,
    yeo_johnson,
)
from stylobate.preprocessing.scaling.standard import StandardScaler
from stylobate.statistics import ColumnMoments, ColumnRange

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream
    from stylobate.formula.expressions import Expression


class PowerTransformer(ColumnTransformerBase):
    r"""Bend each column by the power that makes it most nearly normal.

    Box–Cox: :math:`(x^\lambda - 1)/\lambda` for positive x. Yeo–Johnson: the same of 1 + x, and of
    1 − x with the power 2 − λ for negative x. λ maximises the normal likelihood, computed in
    logarithms, so no power overflows on the way. Columns far from zero for their spread are bent
    about their middle, which standardises to the same and keeps their digits.

    Parameters
    ----------
    method : {"yeo-johnson", "box-cox"}, default="yeo-johnson"
        Box–Cox needs positive values.
    standardize : bool, default=True
        Whether to give the result mean 0 and variance 1.
    copy : bool, default=True
        Whether to leave the caller's array alone; False writes in place where possible.

    Attributes
    ----------
    lambdas_ : array of shape (n_features,)
        The powers; 1 for constant columns (Yeo–Johnson).
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> PowerTransformer().fit([[1.0, 2.0], [3.0, 2.0], [4.0, 5.0]]).lambdas_.round(2)
    array([ 1.39, -3.1 ])

    References
    ----------
    Yeo & Johnson (2000), A new family of power transformations to improve normality or symmetry,
    Biometrika 87.
    """

    def __init__(
        self,
        method: Annotated[str, Options("yeo-johnson", "box-cox")] = "yeo-johnson",
        *,
        standardize: bool = True,
        copy: bool = True,
    ) -> None:
        self.method = method
        self.standardize = standardize
        self.copy = copy

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=False, tier="one pass per iteration")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the powers.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; NaN counts as missing.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        self._refuse_rows(table)
        ranges = ColumnRange.of(table)
        constant = ranges.is_constant
        self.lambdas_ = np.ones(table.n_features)
        for j in range(table.n_features):
            values = table.x[:, j].astype(np.float64)
            values = values[~np.isnan(values)]
            if len(values) == 0 and self.method == "box-cox":
                raise InvalidDataError(
                    f"PowerTransformer: Column must not be all nan, but column {j} is."
                )
            if not constant[j]:
                find = likeliest_box_cox if self.method == "box-cox" else likeliest_yeo_johnson
                self.lambdas_[j] = find(values)
        self._find_middles(ranges)
        if self.standardize:
            self._scaler = StandardScaler(copy=False).set_output(transform="default")
            self._scaler.fit(self._bent(table))
        return self

    def _find_middles(self, ranges: ColumnRange) -> None:
        """Columns far from zero are bent about their middle where the result is standardised."""
        found = middles(ranges, self.lambdas_, self.method == "box-cox")
        far = np.flatnonzero(found)
        if len(far) and not self.standardize:
            warnings.warn(
                f"PowerTransformer: the power {self.lambdas_[far[0]]:.3g} maps the values of "
                f"column {', '.join(map(str, far.tolist()))}, far from zero for their spread, to "
                "numbers that double precision cannot hold or tell apart; standardize, or subtract "
                "a constant first.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
            found = np.zeros_like(found)
        self._middles = found

    def _fit_stream(self, stream: Stream) -> Self:
        """Passes that try several powers of all columns, and one for the scaler."""
        from stylobate.preprocessing.scaling.power_streams import likeliest_powers

        self._check_parameters()

        def read(batch: Batch, reset: bool) -> Table:
            table = self._read(batch.x, reset=reset)
            self._refuse_rows(table)
            return table

        source = self._source(stream, batch_door(read))
        self.lambdas_ = likeliest_powers(source, box_cox=self.method == "box-cox")
        self._find_middles(source.compute(ColumnRange))
        if self.standardize:
            scaler = StandardScaler(copy=False).set_output(transform="default")
            scaler.n_features_in_ = self.n_features_in_
            self._scaler = scaler._learn_from(source.compute(_BentMoments(self)), None)
        return self

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.power_transforms import box_cox, yeo_johnson

        far = np.flatnonzero(self._middles)
        if len(far):
            raise FormulaError(
                f"PowerTransformer: column {far[0]} lies so far from zero for its spread that its "
                "power is taken about its middle, which has no formula; subtract a constant first."
            )
        bend = box_cox if self.method == "box-cox" else yeo_johnson
        made = [bend(x, float(power)) for x, power in zip(columns, self.lambdas_, strict=True)]
        return self._scaler._formula(made) if self.standardize else made

    def _refuse_rows(self, table: Table) -> None:
        if self.method == "box-cox" and (table.x <= 0).any():
            row, column = np.argwhere(table.x <= 0)[0]
            raise InvalidDataError(
                "PowerTransformer: The Box-Cox transformation can only be applied to strictly "
                f"positive data, but X holds {table.x[row, column]:g} at row {row}, column "
                f"{column}; use method='yeo-johnson'."
            )

    def _bent(self, table: Table) -> Any:
        box = self.method == "box-cox"
        bend = box_cox if box else yeo_johnson
        out = np.empty(table.x.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            for j, (power, middle) in enumerate(zip(self.lambdas_, self._middles, strict=True)):
                x = table.x[:, j].astype(np.float64)
                out[:, j] = (
                    bend_about(x, float(power), float(middle), box)
                    if middle
                    else bend(x, float(power))
                )
        if np.isinf(out).any():
            j = int(np.argwhere(np.isinf(out))[0, 1])
            raise NumericalError(
                f"PowerTransformer: the power {self.lambdas_[j]:.3g} of column {j} exceeds what "
                "double precision can hold; divide the column by a constant first."
            )
        return out

    def transform(self, X: Any) -> Any:
        """Bend rows by the powers found.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; missing values stay missing.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        self._refuse_rows(table)
        bent = self._bent(table)
        if self.standardize:
            bent = self._scaler.transform(bent)
        return self._wrap(self._stored(bent, table), table)

    def _stored(self, values: Any, table: Table) -> Any:
        """`values` in the dtype of the table, in its own memory where the caller allows that."""
        if self.copy or not table.x.flags.writeable:
            return values.astype(table.x.dtype, copy=False)
        table.x[...] = values
        return table.x

    def inverse_transform(self, X: Any) -> Any:
        """The rows that `transform` would turn into X.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Bent rows.

        Returns
        -------
        array or frame of shape (n, n_features)
            NaN, with a warning, where no row has that image.
        """
        table = self._read_back(X)
        values = np.array(table.x, dtype=np.float64)
        if self.standardize:
            values = self._scaler.inverse_transform(values)
        box = self.method == "box-cox"
        back = inverse_box_cox if box else inverse_yeo_johnson
        for j, (power, middle) in enumerate(zip(self.lambdas_, self._middles, strict=True)):
            known = ~np.isnan(values[:, j])
            with np.errstate(all="ignore"):
                values[:, j] = (
                    unbend_about(values[:, j], float(power), float(middle), box)
                    if middle
                    else back(values[:, j], float(power))
                )
            if np.isnan(values[known, j]).any():
                warnings.warn(
                    f"Some values in column {j} of the inverse-transformed data are NaN: no value "
                    f"has that image under the power {power:.3g}.",
                    StylobateWarning,
                    stacklevel=user_stacklevel(),
                )
        return self._wrap_back(self._stored(values, table), table)


@dataclass(frozen=True, slots=True, eq=False)
class _BentMoments:
    """A recipe: the moments of bent columns."""

    model: PowerTransformer

    def of(self, table: Table) -> ColumnMoments:
        return ColumnMoments.of(replace(table, x=self.model._bent(table)))


def power_transform(
    X: Any, method: str = "yeo-johnson", *, standardize: bool = True, copy: bool = True
) -> Any:
    """Bend the columns of X once, without remembering how.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Numbers; NaN counts as missing.
    method, standardize, copy
        As for `PowerTransformer`.

    Returns
    -------
    array or frame of the shape of X

    Examples
    --------
    >>> power_transform([[1.0], [2.0], [4.0]], "box-cox").round(3).ravel() + 0.0
    array([-1.225,  0.   ,  1.225])
    """
    return PowerTransformer(method, standardize=standardize, copy=copy).fit_transform(X)
