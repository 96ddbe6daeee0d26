"""`BaseEstimator`: the estimator protocol, scikit-learn's to the letter and without importing it.

An estimator's constructor only stores its parameters; everything else here follows from the
constructor's signature and from the attributes `fit` sets (names ending in an underscore).
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from stylobate.base.availability import available_if
from stylobate.base.cloning import clone_by_parameters
from stylobate.base.parameters import check_parameters, constraints_of, defaults_of
from stylobate.base.routing import RoutesMetadata
from stylobate.base.tags import Tagged, to_scikit_learn
from stylobate.base.text import text_of
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.config import get_config
from stylobate.exceptions import InvalidParameterError, NotFittedError, StylobateWarning, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from stylobate.data import Table
    from stylobate.data.streams import Batch, Stream
    from stylobate.statistics import Source

_ABOUT_INPUT = ("n_features_in_", "feature_names_in_")
_CHOICES = ("_output_style", "_requested_metadata")


def _without_formula(estimator: Any) -> str:
    from stylobate.formula.without import without_formula

    return without_formula(estimator)


class BaseEstimator(RoutesMetadata, Tagged):
    """Root of all estimators.

    Subclasses name every parameter in their constructor, annotate it with its constraint, and
    store it unchanged under the same name. Mixins stand to the left:
    ``class Ridge(RegressorMixin, BaseEstimator)``.

    Examples
    --------
    >>> from math import inf
    >>> from typing import Annotated
    >>> from stylobate.base import BaseEstimator, Interval
    >>> class Shrunk(BaseEstimator):
    ...     def __init__(self, alpha: Annotated[float, Interval(0, inf)] = 1.0):
    ...         self.alpha = alpha
    >>> Shrunk(alpha=3)
    Shrunk(alpha=3)
    >>> Shrunk().set_params(alpha=-1)._check_parameters()
    Traceback (most recent call last):
        ...
    stylobate.exceptions.InvalidParameterError: Shrunk: alpha must be a number in [0, inf), got -1.
    """

    if TYPE_CHECKING:
        n_features_in_: int

    # --- parameters -----------------------------------------------------------------------------

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """Names of the parameters, sorted (scikit-learn's meta-estimators call this)."""
        return sorted(defaults_of(cls))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether to add those of estimators among them, as ``name__parameter``.

        Returns
        -------
        dict
            Names and values.
        """
        params: dict[str, Any] = {}
        for name in self._get_param_names():
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                nested = value.get_params()
                params.update((f"{name}__{inner}", each) for inner, each in nested.items())
            params[name] = value
        return params

    def set_params(self, **params: Any) -> Self:
        """Change parameters; ``name__parameter`` reaches into an estimator among them.

        Parameters
        ----------
        **params : object
            Names and new values. They are checked at `fit`, not here.

        Returns
        -------
        self

        Raises
        ------
        InvalidParameterError
            If there is no parameter of that name.
        """
        nested: dict[str, dict[str, Any]] = {}
        names = self._get_param_names()
        for key, value in params.items():
            name, reaches_in, inner = key.partition("__")
            if name not in names:
                raise InvalidParameterError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                    f"{names}."
                )
            if reaches_in:
                nested.setdefault(name, {})[inner] = value
            else:
                setattr(self, name, value)
        for name, inner_params in nested.items():
            self._nested(name).set_params(**inner_params)
        return self

    def _nested(self, name: str) -> Any:
        value = getattr(self, name)
        if not hasattr(value, "set_params"):
            raise InvalidParameterError(
                f"{type(self).__name__}: {name} is {value!r}, which has no parameters of its own "
                f"to set with {name}__…"
            )
        return value

    def _check_parameters(self) -> None:
        """Refuse parameters outside their constraints; `fit` calls this first."""
        check_parameters(type(self).__name__, constraints_of(type(self)), vars(self))

    def __sklearn_clone__(self) -> Self:
        twin: Self = clone_by_parameters(self)
        for choice in _CHOICES:
            if choice in vars(self):
                setattr(twin, choice, dict(vars(self)[choice]))
        return twin

    # --- what is learnt -------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        """Whether `fit` has finished; what is known of the input alone does not count."""
        return not self._tags().requires_fit or any(
            name.endswith("_") and not name.startswith("__") and name not in _ABOUT_INPUT
            for name in vars(self)
        )

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            name = type(self).__name__
            raise joined(NotFittedError)(
                f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this estimator."
            )

    def _read(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        reset: bool,
        **door_options: Any,
    ) -> Table:
        """Take data through the door and remember (`reset`) or compare its columns.

        Sparse input, missing values, the need for y and several targets follow the tags unless
        `door_options` say otherwise.
        """
        from stylobate.data import read_table

        tags = self._tags()
        options = {
            "accept_sparse": tags.sparse,
            "multi_output": tags.multi_output,
            "y_required": tags.requires_y and reset,
            "check_finite": "allow-nan" if tags.allow_nan else "now",
        } | door_options
        # a column of another name may hold anything: the names are compared before the values
        # (columns of Gram matrices are points, and scikit-learn's checks count them last)
        names_first = not reset and not tags.pairwise and options["check_finite"] == "now"
        if names_first:
            options["check_finite"] = "deferred"
        if not reset:
            compare_frame_names(self, X)
        table = read_table(X, y, sample_weight, owner=type(self).__name__, **options)
        if reset:
            remember_features(self, table)
            return table
        compare_features(self, table)
        if names_first and not table.finite and not get_config()["assume_finite"]:
            table.refuse_nonfinite()
            return replace(table, finite=True)
        return table

    # --- rows that are not in memory ------------------------------------------------------------

    @property
    def _needs_rows(self) -> bool:
        """Whether `fit` needs all rows in memory, with these parameters."""
        learns = type(self)._fit_stream is not BaseEstimator._fit_stream
        return not learns or self._tags().tier == "all rows"

    def _fit_stream(self, stream: Stream) -> Self:
        """Learn from a stream: here from its rows, collected into memory as far as allowed.

        Estimators of the other tiers learn from statistics of it instead.
        """
        from stylobate.base.streams import weights_for
        from stylobate.data.streams.collection import collect

        batch = collect(stream, type(self).__name__, self._tags().tier)
        fit: Any = self.fit  # type: ignore[attr-defined]
        return fit(batch.x, batch.y, **weights_for(self, fit, batch))  # type: ignore[no-any-return]

    def _source(self, rows: Table | Stream, read: Callable[[Batch], Table] | None = None) -> Source:
        """What statistics are asked of: rows in memory, or a stream.

        Batches are read through the estimator's own door, unless another one is given.
        """
        from stylobate.base.sources import memory_source, source_for
        from stylobate.data import Table

        if isinstance(rows, Table):
            return memory_source(rows)
        again = self._tags().tier != "one pass"
        return source_for(rows, read or self._batch_reader(), type(self).__name__, again=again)

    def _batch_reader(self) -> Callable[[Batch], Table]:
        """The estimator's door for batches: the first one's columns are remembered."""
        first = True
        tags = self._tags()
        # transformers that do without a target take any: labels are none of their business
        asks = tags.requires_y or tags.estimator_type in ("regressor", "classifier")

        def read(batch: Batch) -> Table:
            nonlocal first
            table = self._read(
                batch.x,
                batch.y if asks else None,
                batch.weights,
                reset=first,
                check_finite="deferred",
                y_required=self._tags().requires_y,
            )
            first = False
            return table

        return read

    @available_if(lambda self: not self._needs_rows)
    def fit_batches(self, batches: Iterable[Any] | Callable[[], Iterable[Any]]) -> Self:
        """Fit to rows that come in batches, one in memory at a time.

        The same as `fit` with the batches, or anything else that is read on request.

        Parameters
        ----------
        batches : iterable, or callable that returns one
            Of tuples ``(X, y)`` or ``(X, y, sample_weight)``; of X where no y is needed. A list,
            or a callable, can be passed over again, which all but one-pass fits need.

        Returns
        -------
        self
        """
        from stylobate.data.streams.columns import ColumnRoles
        from stylobate.data.streams.origins import stream_of_batches

        roles, required = ColumnRoles(type(self).__name__), self._tags().requires_y
        return self._fit_stream(stream_of_batches(batches, roles, y_required=required))

    # --- scikit-learn asks ----------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        return to_scikit_learn(self._tags())

    # --- shown and stored -----------------------------------------------------------------------

    def __repr__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str | None:
        if get_config()["display"] != "diagram":
            return None  # notebooks then fall back on the text
        from stylobate.base.repr import html_of

        return html_of(self)

    def save(self, path: Any) -> Path:
        """Write the estimator to one file from which `stylobate.load` gives it back.

        Parameters
        ----------
        path : str or path
            Where to; a file of that name is replaced.

        Returns
        -------
        Path
            Where it is.
        """
        from stylobate.storage import save

        written: Path = save(self, path)
        return written

    @available_if(lambda self: hasattr(self, "_formula"), _without_formula)
    def to_sql(
        self, dialect: str = "duckdb", table: str = "data", *, keep: Any = (), truths: Any = None
    ) -> str:
        """A SELECT that computes the predictions for every row of a table.

        Parameters
        ----------
        dialect : {"duckdb", "sqlite", "postgres", "ansi"}, default="duckdb"
            Whose SQL.
        table : str, default="data"
            The table, which has the columns of the fit; of a model fitted on a join that of the
            facts: the other tables are joined in the query, by their names.
        keep : sequence of str, default=()
            Columns of the table to hand on, such as a key.
        truths : sequence of str, default=None
            Columns of the table that are BOOLEAN where the model takes numbers: "ansi" has to be
            told, and "postgres" is faster if it is.

        Returns
        -------
        str
            It gives columns ``prediction`` and ``probability_…``, or those of a transformer.
            Where `predict` would refuse a row, the result is NULL.
        """
        from stylobate.formula import to_sql

        stored = vars(self).get("join_")
        if stored is not None:
            return str(stored.with_join(to_sql, self, dialect, table, keep, truths))
        return to_sql(self, dialect, table, keep, truths)

    @available_if(
        lambda self: hasattr(self, "_formula") or hasattr(self, "_onnx_graph"), _without_formula
    )
    def to_onnx(self, path: Any = None) -> Any:
        """The ONNX graph that computes the predictions; needs the package onnx.

        Parameters
        ----------
        path : str or path, default=None
            Where to write it as well.

        Returns
        -------
        onnx.ModelProto
        """
        from stylobate.formula import to_onnx

        return to_onnx(self, path)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_stylobate_version": _version()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        written = state.get("_stylobate_version", "an unknown version")
        if written != _version():
            warnings.warn(
                f"This {type(self).__name__} was stored by stylobate {written} and is being loaded "
                f"by {_version()}; its answers may differ, so fit it again if you can.",
                StylobateWarning,
                stacklevel=2,
            )
        vars(self).update({k: v for k, v in state.items() if k != "_stylobate_version"})


def _version() -> str:
    return str(getattr(sys.modules["stylobate"], "__version__", "0+unknown"))
