"""Spline features."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Numbers, Options, Tags, TransformerMixin
from stylobate.base.batches import batch_door, first_batch, refuse_weighted
from stylobate.base.validation import input_names
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

    from stylobate.formula.expressions import Expression


class SplineTransformer(TransformerMixin, BaseEstimator):
    r"""B-spline basis functions of each column.

    :math:`n_{\text{knots}} + d - 1` piecewise polynomials of degree d per column, each non-zero
    between at most d + 2 neighbouring knots; inside the knots they sum to 1.

    Parameters
    ----------
    n_knots : int in [2, inf), default=5
        Knots per column, if `knots` is a word.
    degree : int in [0, inf), default=3
        Degree of the polynomials.
    knots : {"uniform", "quantile"} or array-like of shape (n_knots, n_features), default="uniform"
        Equally spaced from the smallest to the largest value, at quantiles, or as given
        (increasing in each column).
    extrapolation : {"error", "constant", "linear", "continue", "periodic"}, default="constant"
        What to do outside the knots: refuse, stay at the boundary value, go on in its tangent, go
        on in its polynomial, or repeat.
    include_bias : bool, default=True
        If False, the last function of each column is left out: they no longer sum to 1.
    order : {"C", "F"}, default="C"
        Memory layout of a dense result.
    handle_missing : {"error", "zeros"}, default="error"
        Whether to refuse NaN, or to give zeros for it.
    sparse_output : bool, default=False
        Whether to return a sparse array.

    Attributes
    ----------
    bsplines_ : list of scipy.interpolate.BSpline
        One per column.
    n_features_out_ : int
        Number of columns made.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> spline = SplineTransformer(degree=1, n_knots=3)
    >>> spline.fit_transform(np.array([[0.0], [0.5], [2.0]]))
    array([[1. , 0. , 0. ],
           [0.5, 0.5, 0. ],
           [0. , 0. , 1. ]])
    >>> list(spline.get_feature_names_out())
    ['x0_sp_0', 'x0_sp_1', 'x0_sp_2']

    References
    ----------
    de Boor (1978), A Practical Guide to Splines, Springer.
    """

    def __init__(
        self,
        n_knots: Annotated[int, Interval(2, inf)] = 5,
        degree: Annotated[int, Interval(0, inf)] = 3,
        *,
        knots: Annotated[str, Options("uniform", "quantile")]
        | Annotated[Any, Numbers(-inf, inf, ndim=2)] = "uniform",
        extrapolation: Annotated[
            str, Options("error", "constant", "linear", "continue", "periodic")
        ] = "constant",
        include_bias: bool = True,
        order: Annotated[str, Options("C", "F")] = "C",
        handle_missing: Annotated[str, Options("error", "zeros")] = "error",
        sparse_output: bool = False,
    ) -> None:
        self.n_knots = n_knots
        self.degree = degree
        self.knots = knots
        self.extrapolation = extrapolation
        self.include_bias = include_bias
        self.order = order
        self.handle_missing = handle_missing
        self.sparse_output = sparse_output

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                allow_nan=self.handle_missing == "zeros",
                preserves_dtype=("float64", "float32"),
                tier="several passes" if self._at_quantiles else "one pass",
            )
        )

    @property
    def _at_quantiles(self) -> bool:
        return isinstance(self.knots, str) and self.knots == "quantile"

    @property
    def _first_batch_is_enough(self) -> bool:
        return not isinstance(self.knots, str)

    def _fit_stream(self, stream: Stream) -> Self:
        """Knots from the range by one pass, at quantiles by passes that count, exactly."""
        from stylobate.preprocessing.bases.knots import given_knots, stream_knots

        self._check_parameters()
        owner = type(self).__name__
        head = first_batch(stream, owner)
        if not isinstance(self.knots, str):
            table = self._read(head.x, None, head.weights, reset=True)
            return self._store(given_knots(self.knots, table.n_features))
        if head.weights is not None and self._at_quantiles:
            refuse_weighted(owner, stream, "quantiles of weighted rows")
        door = batch_door(
            lambda batch, reset: self._read(batch.x, None, batch.weights, reset=reset)
        )
        return self._store(stream_knots(self, self._source(stream, door)))

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Place the knots.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows for ``knots="quantile"``; rows of weight 0 count nowhere.

        Returns
        -------
        self
        """
        from stylobate.preprocessing.bases.knots import place_knots

        self._check_parameters()
        table = self._read(X, None, sample_weight, reset=True)
        return self._store(place_knots(self, np.asarray(table.x, dtype=np.float64), table.weights))

    def _store(self, knots: Array) -> Self:
        """The splines on the knots."""
        from stylobate.preprocessing.bases.knots import basis

        if self.extrapolation == "periodic" and len(knots) <= self.degree:
            raise InvalidParameterError(
                "SplineTransformer: Periodic splines require degree < n_knots. Got n_knots="
                f"{len(knots)} and degree={self.degree}."
            )
        periodic = self.extrapolation == "periodic"
        self.bsplines_ = [basis(column, int(self.degree), periodic) for column in knots.T]
        self.n_features_out_ = self.n_features_in_ * self._per_column
        return self

    @property
    def _n_functions(self) -> int:
        """Basis functions of a column, the last included."""
        return int(self.bsplines_[0].c.shape[1])

    @property
    def _per_column(self) -> int:
        return self._n_functions - (not self.include_bias)

    def _check_loaded(self) -> None:
        """Refuse splines of a file that are not one for each column, of the same functions."""
        if "bsplines_" not in vars(self):
            return
        splines = self.bsplines_ if isinstance(self.bsplines_, list) else []
        sound = len(splines) == self.n_features_in_ and all(
            getattr(getattr(each, "c", None), "ndim", 0) == 2
            and each.c.shape == splines[0].c.shape
            and np.result_type(each.c, each.t) == np.float64
            and each.c.shape[1] >= 1
            and each.k == splines[0].k
            for each in splines
        )
        if not sound or self.n_features_out_ != self.n_features_in_ * self._per_column:
            raise ModelFileError("The SplineTransformer of the file has splines of other columns.")

    def transform(self, X: Any) -> Any:
        """The basis functions at each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features_out_)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        x = np.asarray(table.x)
        kept = self._per_column
        layout: Any = self.order
        out = np.zeros((len(x), self.n_features_out_), dtype=x.dtype, order=layout)
        for j, spline in enumerate(self.bsplines_):
            values = self._column(spline, x[:, j].astype(np.float64), j)
            out[:, j * kept : (j + 1) * kept] = values[:, :kept]
        if self.sparse_output:
            from scipy import sparse

            return self._wrap(sparse.csr_array(out), table)
        return self._wrap(out, table)

    def _column(self, spline: BSpline, x: Array, j: int) -> Array:
        """All basis functions of column j."""
        missing = np.isnan(x)
        low, high = spline.t[spline.k], spline.t[-spline.k - 1]
        inside = np.where(missing, low, x)
        outside = (inside < low) | (inside > high)
        if self.extrapolation == "periodic":
            inside = low + (inside - low) % (high - low)
        elif self.extrapolation == "error" and outside.any():
            raise InvalidDataError(
                f"SplineTransformer: X contains values beyond the limits of the knots in column "
                f"{j}, [{low:g}, {high:g}] (the first: {inside[outside][0]:g}); choose another "
                "extrapolation or knots that cover them."
            )
        elif self.extrapolation != "continue":
            clipped = np.clip(inside, low, high)
            values = np.asarray(spline(clipped))
            if self.extrapolation == "linear" and spline.k > 0 and outside.any():
                slope = spline.derivative()(clipped[outside])
                values[outside] += slope * (inside - clipped)[outside, None]
            values[missing] = 0.0
            return values
        values = np.asarray(spline(inside))
        values[missing] = 0.0
        return values

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.curves import spline_basis

        missing = 0.0 if self.handle_missing == "zeros" else None
        made: list[Expression] = []
        for column, spline in zip(columns, self.bsplines_, strict=True):
            functions = spline_basis(column, spline, self.extrapolation, missing)
            made += functions[: self._per_column]
        return made

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the functions, such as ``"age_sp_2"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        names = input_names(self, input_features)
        found = [f"{name}_sp_{k}" for name in names for k in range(self._per_column)]
        return np.array(found, dtype=object)
