"""`FeatureUnion`: several transformers of the same columns, side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from stylobate.base import Tags, TransformerMixin
from stylobate.base.composition.column_names import joint_names
from stylobate.base.composition.output import hand_on_output
from stylobate.base.composition.part_messages import speaking_of
from stylobate.base.composition.part_tasks import apply, fit, fit_apply
from stylobate.base.composition.parts import ComposedOfParts, can_transform, refuse_class
from stylobate.base.composition.pass_through import PassThrough
from stylobate.base.composition.routed_arguments import (
    Arguments,
    refuse_unrouted,
    routed,
    router_of,
    same_for_fits,
)
from stylobate.base.composition.stacking import check_tables, stacked
from stylobate.base.composition.stream_fits import (
    TrainingOutput,
    first_batch_is_enough,
    joint_tier,
    refuse_weights,
    train_part,
)
from stylobate.base.delegation import is_fitted, tags_of
from stylobate.base.jobs import run_jobs
from stylobate.base.parameters import brief
from stylobate.base.routing import routing_enabled
from stylobate.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stylobate.data.streams import Stream
    from stylobate.datasets.bunch import Bunch
    from stylobate.formula.expressions import Expression


class FeatureUnion(TransformerMixin, ComposedOfParts):
    """The columns of several transformers, each of which gets all of X, side by side.

    Transformers may be ours or scikit-learn's. They are fitted themselves, not clones of them.
    If one gives a sparse array the result is sparse.

    Parameters
    ----------
    transformer_list : list of (str, transformer, "drop" or "passthrough")
        Names and transformers.
    n_jobs : int or None, default=None
        How many transformers to fit at once; None is 1, -1 all cores.
    transformer_weights : dict of str to float, or None, default=None
        What to multiply the columns of a transformer by.
    verbose : bool, default=False
        Whether to print how long each transformer took to fit.
    verbose_feature_names_out : bool, default=True
        Whether names of columns begin with ``transformer__``; if not, they must not repeat.

    Attributes
    ----------
    named_transformers : Bunch
        The transformers by name.
    n_features_in_, feature_names_in_
        Those of the first transformer.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.preprocessing import PolynomialFeatures
    >>> squares = PolynomialFeatures(2, include_bias=False)
    >>> both = FeatureUnion([("plain", "passthrough"), ("square", squares)])
    >>> both.fit_transform(np.array([[2.0], [3.0]]))
    array([[2., 2., 4.],
           [3., 3., 9.]])
    >>> list(both.get_feature_names_out())
    ['plain__x0', 'square__x0', 'square__x0^2']
    """

    _parts_parameter: ClassVar[str] = "transformer_list"
    _part: ClassVar[str] = "transformer"
    _form: ClassVar[str] = "(name, transformer)"

    def __init__(
        self,
        transformer_list: list[Any] | tuple[Any, ...],
        *,
        n_jobs: int | None = None,
        transformer_weights: dict[str, float] | None = None,
        verbose: bool = False,
        verbose_feature_names_out: bool = True,
    ) -> None:
        self.transformer_list = transformer_list
        self.n_jobs = n_jobs
        self.transformer_weights = transformer_weights
        self.verbose = verbose
        self.verbose_feature_names_out = verbose_feature_names_out

    # --- the transformers -----------------------------------------------------------------------

    @property
    def named_transformers(self) -> Bunch:
        """The transformers by name."""
        from stylobate.datasets.bunch import Bunch

        return Bunch(**dict(self.transformer_list))

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            raise KeyError("Only string keys are supported")
        return self.named_transformers[name]

    def _working(self) -> list[tuple[str, Any]]:
        """The transformers that are not dropped."""
        return [(n, t) for n, t in self._named_parts() if not _is(t, "drop")]

    def _tags(self) -> Tags:
        inner = [tags_of(t) for _, t in self._working() if not isinstance(t, str)]
        return (
            super()
            ._tags()
            .but(
                sparse=all(each.sparse for each in inner),
                allow_nan=all(each.allow_nan for each in inner),
                positive_only=any(each.positive_only for each in inner),
                tier=joint_tier(t for _, t in self._working() if not isinstance(t, str)),
            )
        )

    def __sklearn_is_fitted__(self) -> bool:
        parts = [t for _, t in self._working() if not isinstance(t, str)]
        return all(not tags_of(part).requires_fit or is_fitted(part) for part in parts)

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """The number of columns the first transformer was fitted to."""
        count: int = self._first("n_features_in_")
        return count

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """The names of the columns the first transformer was fitted to."""
        names: NDArray[np.object_] = self._first("feature_names_in_")
        return names

    def _first(self, attribute: str) -> Any:
        parts = [t for _, t in self._working() if not isinstance(t, str)]
        return getattr(next(iter(parts), None), attribute)

    def _check_transformers(self) -> None:
        self._check_parameters()
        self._check_parts()
        for name, part in self._working():
            refuse_class(part, f"transformer {name!r}")
            if not _is(part, "passthrough") and not can_transform(part):
                raise InvalidParameterError(
                    f"transformer {name!r}: All estimators should implement fit and transform, "
                    f"and {brief(part)} (type {type(part).__name__}) doesn't"
                )
        names = [name for name, _ in self._named_parts()]
        for name in self.transformer_weights or {}:
            if name not in names:
                raise InvalidParameterError(
                    f'FeatureUnion: Attempting to weight transformer "{name}", but it is not '
                    "present in transformer_list."
                )

    def _weight(self, name: str) -> float | None:
        return (self.transformer_weights or {}).get(name)

    # --- streams --------------------------------------------------------------------------------

    @property
    def _first_batch_is_enough(self) -> bool:
        parts = [t for _, t in self._working() if not isinstance(t, str)]
        return all(map(first_batch_is_enough, parts))

    def _fit_stream(self, stream: Stream) -> Self:
        self._train_on_stream(stream)
        return self

    def _train_on_stream(self, stream: Stream) -> TrainingOutput:
        """Fit one transformer after the other, each by passes of its own."""
        self._check_transformers()
        refuse_weights(stream, type(self).__name__)
        fitted, outputs = [], []
        for name, part in self._working():
            whole = _is(part, "passthrough")
            own = PassThrough().set_output(transform=self._chosen()) if whole else part
            with speaking_of("transformer", name, own):
                outputs.append(train_part(own, stream))
            fitted.append(own)
        self._keep(fitted)
        weights = [self._weight(name) for name, _ in self._working()]

        def output(x: Any, first: int) -> Any:
            from stylobate.data.stacking import times

            pairs = zip(outputs, weights, strict=True)
            return self._stack([times(each(x, first), weight) for each, weight in pairs], x)

        return output

    # --- fitting and transforming ---------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Fit every transformer to X.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows, or whatever the transformers take.
        y : array-like of shape (n,), optional
            Target, handed to every transformer.
        **fit_params : object
            More arguments for every transformer's `fit`.

        Returns
        -------
        self
        """
        self._keep(self._each(fit, X, y, "fit", fit_params))
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit every transformer to X and give what they make of it.

        Parameters
        ----------
        X, y, **fit_params
            As in `fit`.

        Returns
        -------
        array, sparse array or frame of shape (n, sum of the transformers' columns)
        """
        done = self._each(fit_apply, X, y, "fit_transform", fit_params)
        self._keep([fitted for _, fitted in done])
        return self._stack([made for made, _ in done], X)

    def transform(self, X: Any, **params: Any) -> Any:
        """What the transformers make of X, side by side.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        **params : object
            For transformers that ask for them, with scikit-learn's metadata routing enabled.

        Returns
        -------
        array, sparse array or frame of shape (n, sum of the transformers' columns)
        """
        self._check_fitted()
        refuse_unrouted("FeatureUnion", "transform", params)
        given = routed(self, "transform", params)
        calls = [
            partial(apply, "transformer", name, part, X, self._weight(name), given.get(name))
            for name, part in self._working()
        ]
        return self._stack(run_jobs(calls, self.n_jobs, self, "2*n_jobs"), X)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.export import formula_of
        from stylobate.formula.pieces import weighted

        made: list[Expression] = []
        for name, part in self._working():
            found, weight = formula_of(part, columns), self._weight(name)
            made += found if weight is None else [weighted([x], [weight]) for x in found]
        return made

    def get_metadata_routing(self) -> Any:
        """scikit-learn's router: which methods of the transformers each call comes to."""
        calls = (
            ("fit", "fit"), ("fit_transform", "fit_transform"), ("fit_transform", "fit"),
            ("fit_transform", "transform"), ("transform", "transform"),
        )  # fmt: skip
        return router_of(self, [(name, part, calls) for name, part in self.transformer_list])

    def _each(self, work: Any, X: Any, y: Any, method: str, params: dict[str, Any]) -> list[Any]:
        self._check_transformers()
        working = self._working()
        arguments = (
            routed(self, method, params)
            if routing_enabled()
            else same_for_fits({name: params for name, _ in working})
        )
        calls = []
        for number, (name, part) in enumerate(working, start=1):
            message = f"(step {number} of {len(working)}) Processing {name}"
            if _is(part, "passthrough"):
                part = PassThrough().set_output(transform=self._chosen())
                given: Arguments | None = None
            else:
                given = arguments.get(name)
            shown = ("FeatureUnion", message if self.verbose else None)
            weight = self._weight(name)
            calls.append(partial(work, "transformer", name, part, X, y, given, weight, shown))
        return run_jobs(calls, self.n_jobs, self, "2*n_jobs")

    def _keep(self, fitted: list[Any]) -> None:
        """Put the fitted transformers in the list, if they are others than those in it."""
        working = self._working()
        if all(new is old for new, (_, old) in zip(fitted, working, strict=True)):
            return
        by_name = {name: new for new, (name, _) in zip(fitted, working, strict=True)}
        self.transformer_list = [(n, by_name.get(n, t)) for n, t in self.transformer_list]

    def _stack(self, made: list[Any], X: Any) -> Any:
        from stylobate.data.columns import origin_of

        parts = self._working()
        check_tables([(name, table) for (name, _), table in zip(parts, made, strict=True)])
        return stacked(
            [(name, part, None) for name, part in parts],
            made,
            origin=origin_of(X),
            n_rows=0 if made else _count(X),
            style=self._style(),
            naming=self.verbose_feature_names_out,
            sparse=None,
        )

    # --- names and containers -------------------------------------------------------------------

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of all columns, transformer by transformer.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`.

        Returns
        -------
        ndarray of str objects
        """
        parts = []
        for name, part in self._working():
            if not hasattr(part, "get_feature_names_out"):
                raise AttributeError(
                    f"Transformer {name} (type {type(part).__name__}) does not provide "
                    "get_feature_names_out."
                )
            parts.append((name, list(part.get_feature_names_out(input_features))))
        found = joint_names(parts, self.verbose_feature_names_out)
        return np.concatenate([np.array([], dtype=object), *found])

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose the container of the result; the transformers are told as well.

        Parameters
        ----------
        transform : {"default", "pandas", "polars", "pyarrow"}, optional
            See `TransformerMixin.set_output`; None changes nothing.

        Returns
        -------
        self
        """
        super().set_output(transform=transform)
        for _, part in self._working():
            hand_on_output(part, transform)
        return self

    def _chosen(self) -> str | None:
        return getattr(self, "_output_style", {}).get("transform")


def _is(part: Any, word: str) -> bool:
    return isinstance(part, str) and part == word


def _count(X: Any) -> int:
    return int(X.shape[0] if hasattr(X, "shape") else np.shape(X)[0])
