"""Any function as a transformer."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Options, Tags, TransformerMixin
from stylobate.base.availability import available_if
from stylobate.base.batches import FitsFirstBatch
from stylobate.data import Origin, wrap_output
from stylobate.data.indexing import take_rows
from stylobate.data.words import kind_of, user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class FunctionTransformer(TransformerMixin, FitsFirstBatch):
    """Apply a function of your own to X, as a step like any other.

    Parameters
    ----------
    func : callable, default=None
        Called with X (and `kw_args`); None gives X back.
    inverse_func : callable, default=None
        The way back; None gives X back.
    validate : bool, default=False
        Whether X is read and checked as other transformers do (numbers, finite) before `func` gets
        it as an array; if not, `func` gets what the caller passed, whatever it is.
    accept_sparse : bool, default=False
        Whether sparse X is taken, if `validate`.
    check_inverse : bool, default=True
        Whether `fit` tries `inverse_func` after `func` on some rows and warns if they do not come
        back.
    feature_names_out : "one-to-one" or callable, default=None
        Names of the columns `func` returns: those that came in, or
        ``feature_names_out(transformer, names)``. None: `get_feature_names_out` is not there.
    kw_args, inv_kw_args : dict, default=None
        Further arguments of `func` and `inverse_func`.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> logarithm = FunctionTransformer(np.log1p, np.expm1)
    >>> logarithm.fit_transform(np.array([[0.0, 1.0]])).round(4)
    array([[0.    , 0.6931]])
    """

    _answers_may_be_missing = True  # the function is the user's

    def __init__(
        self,
        func: Callable[..., Any] | None = None,
        inverse_func: Callable[..., Any] | None = None,
        *,
        validate: bool = False,
        accept_sparse: bool = False,
        check_inverse: bool = True,
        feature_names_out: Callable[..., Any] | Annotated[str, Options("one-to-one")] | None = None,
        kw_args: dict[str, Any] | None = None,
        inv_kw_args: dict[str, Any] | None = None,
    ) -> None:
        self.func = func
        self.inverse_func = inverse_func
        self.validate = validate
        self.accept_sparse = accept_sparse
        self.check_inverse = check_inverse
        self.feature_names_out = feature_names_out
        self.kw_args = kw_args
        self.inv_kw_args = inv_kw_args

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                requires_fit=False,
                no_validation=not self.validate,
                sparse=bool(not self.validate or self.accept_sparse),
                preserves_dtype=("float64", "float32"),
            )
        )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters and remember the columns; nothing else is learnt.

        Parameters
        ----------
        X : array-like, or what `func` takes
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = self._given(X, reset=True)
        if self.check_inverse and self.func is not None and self.inverse_func is not None:
            self._try_inverse(rows)
        return self

    def _given(self, X: Any, *, reset: bool) -> Any:
        """What `func` gets: the numbers of X if they are to be checked, else X itself."""
        if self.validate:
            return self._read(X, reset=reset).x
        if reset:
            shape = getattr(X, "shape", None)
            vars(self).pop("n_features_in_", None)
            vars(self).pop("feature_names_in_", None)
            if shape is not None and len(shape) == 2:
                self.n_features_in_ = int(shape[1])
            elif isinstance(X, list | tuple) and len(X) and hasattr(X[0], "__len__"):
                self.n_features_in_ = len(X[0])
            names = _names_of(X)
            if names is not None:
                self.feature_names_in_ = np.array(names, dtype=object)
        return X

    def _try_inverse(self, X: Any) -> None:
        step = max(1, (X.shape[0] if hasattr(X, "shape") else len(X)) // 100)
        rows = take_rows(X, slice(None, None, step))
        back = self._call(
            self.inverse_func, self._call(self.func, rows, self.kw_args), self.inv_kw_args
        )
        first, second = (
            each.toarray() if hasattr(each, "toarray") else each for each in (rows, back)
        )
        try:
            same = np.allclose(np.asarray(first, float), np.asarray(second, float), equal_nan=True)
        except (TypeError, ValueError) as error:
            raise InvalidDataError(
                "FunctionTransformer: 'check_inverse' is only supported when all the elements in "
                f"X are numerical ({error}); set check_inverse=False."
            ) from error
        if not same:
            warnings.warn(
                "The provided functions are not strictly inverse of each other. If you are sure "
                "you want to proceed regardless, set 'check_inverse=False'.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )

    def _call(self, func: Callable[..., Any] | None, X: Any, more: dict[str, Any] | None) -> Any:
        return X if func is None else func(X, **(more or {}))

    def transform(self, X: Any) -> Any:
        """`func` of X.

        Parameters
        ----------
        X : array-like, or what `func` takes
            Rows.

        Returns
        -------
        object
            What `func` returns, in the container `set_output` asks for.
        """
        out = self._call(self.func, self._given(X, reset=False), self.kw_args)
        style = self._style()
        names = self._output_names(X, out)
        if self.feature_names_out is not None:
            out = self._renamed(out, X)
        if style in (None, "default"):
            if style is None and self.validate and _names_of(out) is None:
                origin = Origin(_library(X), getattr(X, "index", None))
                return wrap_output(out, origin=origin, columns=names)
            return out
        if _names_of(out) is not None and _library(out) == style and self.feature_names_out is None:
            return out
        return wrap_output(
            out,
            origin=Origin("pandas", getattr(X, "index", None)),
            columns=names or _names_of(out),
            style=style,
        )

    def _renamed(self, out: Any, X: Any) -> Any:
        """A frame under the names that `get_feature_names_out` says.

        Raises
        ------
        InvalidDataError
            If `func` has given its columns other names of its own.
        """
        given = getattr(out, "columns", None)
        if given is None or not hasattr(out, "shape"):
            return out
        own, names = list(given), [str(name) for name in self.get_feature_names_out()]
        if own == names or len(own) != len(names):
            return out
        worded = all(isinstance(name, str) for name in own)
        if worded and own != list(_names_of(X) or ()):
            raise InvalidDataError(
                "The output generated by `func` have different column names than the ones "
                f"provided by `get_feature_names_out`: FunctionTransformer got {own}, "
                f"where {names} are promised; let feature_names_out say the names that func gives."
            )
        if hasattr(out, "set_axis"):
            return out.set_axis(names, axis=1)
        import narwhals as nw

        frame = nw.from_native(out)
        return frame.rename(dict(zip(own, names, strict=True))).to_native()

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.elementwise import elementwise

        return [elementwise(type(self).__name__, self.func, self.kw_args, x) for x in columns]

    def _inverse_formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.elementwise import elementwise

        back, arguments = self.inverse_func, self.inv_kw_args
        return [elementwise(type(self).__name__, back, arguments, x) for x in columns]

    def _output_names(self, X: Any, out: Any) -> list[str] | None:
        if self.feature_names_out is not None:
            names = _names_of(X)
            given = None if hasattr(self, "feature_names_in_") else names
            return list(self.get_feature_names_out(given))
        names = _names_of(X)
        width = out.shape[1] if getattr(out, "ndim", 0) == 2 else None
        return list(names) if names is not None and width == len(names) else None

    def inverse_transform(self, X: Any) -> Any:
        """`inverse_func` of X.

        Parameters
        ----------
        X : array-like, or what `inverse_func` takes
            Transformed rows.

        Returns
        -------
        object
        """
        if self.validate:
            from stylobate.data import read_table

            X = read_table(X, owner="FunctionTransformer", accept_sparse=self.accept_sparse).x
        return self._call(self.inverse_func, X, self.inv_kw_args)

    @available_if(lambda self: self.feature_names_out is not None)
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns, as `feature_names_out` says.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        if hasattr(self, "n_features_in_") or input_features is None:
            from stylobate.base.validation import input_names

            names = input_names(self, input_features)
        else:
            names = np.asarray(input_features, dtype=object)
        if callable(self.feature_names_out):
            names = self.feature_names_out(self, names)
        return np.asarray(names, dtype=object)


def _names_of(X: Any) -> list[str] | None:
    """Column names of a frame if they are text."""
    names = getattr(X, "column_names", None) or getattr(X, "columns", None)
    if names is None or not hasattr(X, "shape"):
        return None
    return list(names) if all(isinstance(name, str) for name in names) else None


def _library(X: Any) -> str:
    library = kind_of(X).partition(".")[0]
    return library if library in ("pandas", "polars", "pyarrow") else "numpy"
