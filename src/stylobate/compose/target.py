"""`TransformedTargetRegressor`: a model of a function of the target."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, HasMethods, RegressorMixin, Tags, clone
from stylobate.base.availability import available_if
from stylobate.base.batches import first_batch
from stylobate.base.composition.part_messages import speaking_of
from stylobate.base.composition.stream_fits import fit_part, joint_tier
from stylobate.base.delegation import tags_of
from stylobate.compose.functions import TargetFunctions
from stylobate.data.streams import Batch, Stream
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

    Array = NDArray[Any]

_PROBES = 10  # rows on which the inverse is tried


class TransformedTargetRegressor(RegressorMixin, BaseEstimator):
    r"""A regression of g(y), whose predictions are taken back to y.

    .. math:: \hat y(x) = g^{-1}\big(\hat f(x)\big), \qquad \hat f \text{ fitted to } g(y)

    The logarithm of a price is closer to linear than the price. Mind that the mean of g(y) taken
    back is not the mean of y: for the logarithm it is the median where errors are symmetric.

    Parameters
    ----------
    regressor : regressor or None, default=None
        A clone of it is fitted; None is a `LinearRegression`.
    transformer : transformer or None, default=None
        g, a clone of which is fitted to y as a table of one column (or one for each target). Not
        together with `func`.
    func, inverse_func : callable or None, default=None
        g and its inverse as functions of a table; both or neither.
    check_inverse : bool, default=True
        Whether to warn if the inverse does not take some of the values back.

    Attributes
    ----------
    regressor_ : regressor
        The fitted regressor.
    transformer_ : transformer
        The fitted transformer of y.
    n_features_in_, feature_names_in_
        Those of the regressor.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0], [2.0], [3.0]])
    >>> growth = TransformedTargetRegressor(func=np.log, inverse_func=np.exp)
    >>> growth.fit(X, np.exp(2 * X[:, 0])).predict([[4.0]]).round(3)
    array([2980.958])

    References
    ----------
    Box & Cox (1964), An analysis of transformations, JRSS B 26.
    """

    def __init__(
        self,
        regressor: Annotated[Any, HasMethods("fit", "predict")] | None = None,
        *,
        transformer: Annotated[Any, HasMethods("transform")] | None = None,
        func: Callable[..., Any] | None = None,
        inverse_func: Callable[..., Any] | None = None,
        check_inverse: bool = True,
    ) -> None:
        self.regressor = regressor
        self.transformer = transformer
        self.func = func
        self.inverse_func = inverse_func
        self.check_inverse = check_inverse

    def _tags(self) -> Tags:
        inner = tags_of(self._regressor())
        return (
            super()
            ._tags()
            .but(
                sparse=inner.sparse,
                allow_nan=inner.allow_nan,
                multi_output=inner.multi_output,
                poor_score=True,
                tier=joint_tier(self._learning()),
            )
        )

    def _learning(self) -> list[Any]:
        """What is fitted; functions are known beforehand."""
        transformer = [] if self.transformer is None else [self.transformer]
        return [*transformer, self._regressor()]

    def _regressor(self) -> Any:
        if self.regressor is not None:
            return self.regressor
        from stylobate.linear_model import LinearRegression

        return LinearRegression()

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """The number of columns of X at `fit`."""
        count: int = self.regressor_.n_features_in_
        return count

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """The names of the columns of X at `fit`, if they had some."""
        names: NDArray[np.object_] = self.regressor_.feature_names_in_
        return names

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Transform y and fit the regressor to it.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,) or (n, n_targets)
            Target.
        **fit_params : object
            More arguments for the regressor's `fit`, such as ``sample_weight``.

        Returns
        -------
        self
        """
        self._check_parameters()
        table, is_vector = self._read_target(y)
        transformer = self._fitted_transformer(table)
        made = self._transformed(transformer, table)
        if is_vector and made.ndim == 2 and made.shape[1] == 1:
            made = made[:, 0]
        regressor = clone(self._regressor())
        with speaking_of("regressor", "regressor", regressor):
            regressor.fit(X, made, **fit_params)
        self._target_ndim = 1 if is_vector else 2
        self.transformer_ = transformer
        self.regressor_ = regressor
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """Fit the transformer to the stream of targets, and the regressor to what it makes."""
        self._check_parameters()
        owner = type(self).__name__
        probe, is_vector = self._read_target(first_batch(stream, owner).y)
        transformer = self._chosen_transformer()

        def targets(batch: Batch, first: int) -> Batch:
            return Batch(self._read_target(batch.y)[0], None, batch.weights)

        def change(batch: Batch, first: int) -> Batch:
            made = self._transformed(transformer, self._read_target(batch.y)[0])
            one = is_vector and made.ndim == 2 and made.shape[1] == 1
            return batch._replace(y=made[:, 0] if one else made)

        with speaking_of("transformer", "transformer", transformer):
            fit_part(transformer, stream.map_batches(targets))
            if self.check_inverse:
                self._try_inverse(transformer, probe[:: max(1, len(probe) // _PROBES)])
        regressor = clone(self._regressor())
        with speaking_of("regressor", "regressor", regressor):
            fit_part(regressor, stream.map_batches(change))
        self._target_ndim = 1 if is_vector else 2
        self.transformer_, self.regressor_ = transformer, regressor
        return self

    def predict(self, X: Any, **predict_params: Any) -> Array:
        """Predictions of the regressor, taken back to y.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        **predict_params : object
            More arguments for the regressor's `predict`.

        Returns
        -------
        array of shape (n,) or (n, n_targets)
        """
        self._check_fitted()
        found = np.asarray(self.regressor_.predict(X, **predict_params))
        table = found[:, np.newaxis] if found.ndim == 1 else found
        back = np.asarray(self.transformer_.inverse_transform(table))
        if self._target_ndim == back.ndim - 1 and back.shape[1] == 1:
            back = back[:, 0]
        return back

    @available_if(lambda self: hasattr(self._asked(), "_formula"), "whose regressor has none")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import taken_back
        from stylobate.formula.export import formula_of

        return taken_back(formula_of(self.regressor_, columns), self.transformer_)

    def _asked(self) -> Any:
        return vars(self).get("regressor_", self._regressor())

    def _read_target(self, y: Any) -> tuple[Array, bool]:
        from stylobate.data.finite import refuse_nonfinite
        from stylobate.data.target import read_target, refuse_missing_target
        from stylobate.data.words import Input

        owner = type(self).__name__
        if y is None:
            refuse_missing_target(owner)
        table, is_vector, finite = read_target(y, None, owner=owner)
        if not finite:
            refuse_nonfinite(table, Input(owner, "y"))
        return table, is_vector

    def _chosen_transformer(self) -> Any:
        """What y is transformed by, not fitted yet."""
        functions = (self.func, self.inverse_func)
        if self.transformer is not None:
            if functions != (None, None):
                raise InvalidParameterError(
                    "TransformedTargetRegressor: 'transformer' and functions 'func'/'inverse_func' "
                    "cannot both be set."
                )
            return clone(self.transformer)
        if None in functions and functions != (None, None):
            given, lacking = ("func", "inverse_func")[:: 1 if self.func is not None else -1]
            raise InvalidParameterError(
                f"TransformedTargetRegressor: When '{given}' is provided, '{lacking}' must also be "
                f"provided. If {lacking} is supposed to be the default, you need to explicitly "
                "pass it the identity function."
            )
        return TargetFunctions(*functions)

    def _fitted_transformer(self, table: Array) -> Any:
        transformer = self._chosen_transformer()
        with speaking_of("transformer", "transformer", transformer):
            transformer.fit(table)
            if self.check_inverse:
                self._try_inverse(transformer, table[:: max(1, len(table) // _PROBES)])
        return transformer

    def _try_inverse(self, transformer: Any, rows: Array) -> None:
        back = np.asarray(transformer.inverse_transform(transformer.transform(rows)))
        if not np.allclose(rows, back):
            warnings.warn(
                "The provided functions or transformer are not strictly inverse of each other. If "
                "you are sure you want to proceed regardless, set 'check_inverse=False'",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )

    def _transformed(self, transformer: Any, table: Array) -> Array:
        made = np.asarray(transformer.transform(table))
        if made.dtype.kind == "f" and not np.isfinite(made).all():
            row = int(np.flatnonzero(~np.isfinite(made).reshape(len(made), -1).all(axis=1))[0])
            raise InvalidDataError(
                f"TransformedTargetRegressor: the transformed y contains NaN or infinity: row {row}"
                f" turns from {table[row].tolist()} into {made[row].tolist()}. Choose a function "
                "that is defined for all of y."
            )
        return made
