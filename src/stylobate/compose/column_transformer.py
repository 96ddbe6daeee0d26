"""`ColumnTransformer`: different transformers for different columns, side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from stylobate.base import HasMethods, Interval, Options, Tags, TransformerMixin, clone
from stylobate.base.composition.output import hand_on_output
from stylobate.base.composition.part_tasks import apply, fit_apply
from stylobate.base.composition.parts import ComposedOfParts, can_transform, refuse_class
from stylobate.base.composition.routed_arguments import (
    Arguments,
    refuse_unrouted,
    routed,
    router_of,
    transformer_calls,
)
from stylobate.base.composition.stacking import check_tables, stacked
from stylobate.base.composition.stream_fits import first_batch_is_enough, joint_tier
from stylobate.base.delegation import tags_of
from stylobate.base.jobs import run_jobs
from stylobate.base.parameters import brief
from stylobate.compose.assignment import REMAINDER, Assignment, assigned, hinting_at_vectors
from stylobate.compose.named_columns import NamesColumns
from stylobate.compose.streams import FitsColumnStreams
from stylobate.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from stylobate.data.columns import Columns
    from stylobate.datasets.bunch import Bunch
    from stylobate.formula.expressions import Expression

_WORDS = ("drop", "passthrough")


class ColumnTransformer(FitsColumnStreams, NamesColumns, TransformerMixin, ComposedOfParts):
    """Each transformer gets some of the columns; what they make of them stands side by side.

    Transformers may be ours or scikit-learn's; clones of them are fitted. A data frame goes out
    as one of its kind, columns that are passed through without a copy, unless `set_output` says
    otherwise.

    Parameters
    ----------
    transformers : list of (str, transformer, "drop" or "passthrough", columns)
        Names, transformers, and the columns of each: names or numbers (one, a list or a slice;
        one alone is handed over as a vector), a mask, or a callable that is given X and returns
        one of those, such as `make_column_selector`.
    remainder : "drop", "passthrough" or transformer, default="drop"
        What happens to the columns nobody asked for.
    sparse_threshold : float in [0, 1], default=0.3
        If some transformers give sparse arrays, the result is sparse where fewer than this share
        of its cells are stored.
    n_jobs : int or None, default=None
        How many transformers to fit at once; None is 1, -1 all cores.
    transformer_weights : dict of str to float, or None, default=None
        What to multiply the columns of a transformer by.
    verbose : bool, default=False
        Whether to print how long each transformer took to fit.
    verbose_feature_names_out : bool, str or callable, default=True
        True names columns ``transformer__column``, False leaves the names, which then must not
        repeat. A format with the fields ``transformer_name`` and ``feature_name``, or a function
        of the two, names them as you like.

    Attributes
    ----------
    transformers_ : list of (str, fitted transformer or "drop", columns)
        With the remainder at the end, if there is one.
    named_transformers_ : Bunch
        The fitted transformers by name.
    output_indices_ : dict of str to slice
        Where the columns of each transformer are in the result.
    sparse_output_ : bool
        Whether the result is sparse.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import pandas
    >>> from stylobate.preprocessing import PolynomialFeatures
    >>> people = pandas.DataFrame({"age": [20.0, 30.0], "name": ["Ada", "Max"]})
    >>> curves = PolynomialFeatures(2, include_bias=False)
    >>> columns = ColumnTransformer([("curves", curves, ["age"])], remainder="passthrough")
    >>> columns.fit_transform(people)
       curves__age  curves__age^2 remainder__name
    0         20.0          400.0             Ada
    1         30.0          900.0             Max
    """

    _parts_parameter: ClassVar[str] = "transformers"
    _part: ClassVar[str] = "transformer"
    _form: ClassVar[str] = "(name, transformer, columns)"

    def __init__(
        self,
        transformers: list[Any] | tuple[Any, ...],
        *,
        remainder: Annotated[str, Options(*_WORDS)]
        | Annotated[Any, HasMethods("fit", "transform")]
        | Annotated[Any, HasMethods("fit_transform", "transform")] = "drop",
        sparse_threshold: Annotated[float, Interval(0, 1, closed="both")] = 0.3,
        n_jobs: int | None = None,
        transformer_weights: dict[str, float] | None = None,
        verbose: bool = False,
        verbose_feature_names_out: bool | str | Callable[[str, str], str] = True,
    ) -> None:
        self.transformers = transformers
        self.remainder = remainder
        self.sparse_threshold = sparse_threshold
        self.n_jobs = n_jobs
        self.transformer_weights = transformer_weights
        self.verbose = verbose
        self.verbose_feature_names_out = verbose_feature_names_out

    def _tags(self) -> Tags:
        parts = [part for _, part in self._named_parts()] + [self.remainder]
        working = [part for part in parts if not isinstance(part, str)]
        sparse = all(tags_of(part).sparse for part in working)
        tier = joint_tier(working)
        if tier == "one pass" and self._is_measured(working):
            tier = "several passes"
        return super()._tags().but(sparse=sparse, tier=tier)

    @property
    def _first_batch_is_enough(self) -> bool:
        parts = [part for _, part in self._named_parts()] + [self.remainder]
        working = [part for part in parts if not isinstance(part, str)]
        return all(map(first_batch_is_enough, working)) and not self._is_measured(working)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "transformers_")

    @property
    def named_transformers_(self) -> Bunch:
        """The fitted transformers by name."""
        from stylobate.datasets.bunch import Bunch

        return Bunch(**{name: part for name, part, _ in self.transformers_})

    def __getitem__(self, name: str) -> Any:
        if not self.__sklearn_is_fitted__():
            raise TypeError("ColumnTransformer is subscriptable after it is fitted")
        return self.named_transformers_[name]

    def _check_transformers(self) -> None:
        self._check_parameters()
        self._check_parts()
        for name, part in self._named_parts():
            refuse_class(part, f"transformer {name!r}")
            if not (isinstance(part, str) and part in _WORDS) and not can_transform(part):
                raise InvalidParameterError(
                    f"transformer {name!r}: All estimators should implement fit and transform, or "
                    f"can be 'drop' or 'passthrough' specifiers, and {brief(part)} (type "
                    f"{type(part).__name__}) doesn't."
                )

    # --- fitting --------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Fit each transformer to its columns.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; columns may hold anything their transformers take.
        y : array-like of shape (n,), optional
            Target, handed to every transformer.
        **params : object
            More arguments for the `fit` of a transformer: ``scale__sample_weight=w``.

        Returns
        -------
        self
        """
        self._fit_parts(X, y, params, "fit")
        return self

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Fit each transformer to its columns and give what they make of them.

        Parameters
        ----------
        X, y, **params
            As in `fit`.

        Returns
        -------
        array, sparse array or frame of shape (n, sum of the transformers' columns)
        """
        columns, made = self._fit_parts(X, y, params, "fit_transform")
        return self._stack(columns, made)

    def _fit_parts(
        self, X: Any, y: Any, params: dict[str, Any], method: str
    ) -> tuple[Columns, list[Any]]:
        from stylobate.data.columns import read_columns

        self._check_transformers()
        given = self._part_params(params, method)
        columns = read_columns(X, owner=type(self).__name__)
        plan = assigned(self.transformers, self.remainder, columns)
        working = [each for each in plan if each.works]
        calls = [
            self._fit_call(each, columns, y, given, f"({number} of {len(working)})")
            for number, each in enumerate(working, start=1)
        ]
        done = run_jobs(calls, self.n_jobs, self, "2*n_jobs")
        made = [table for table, _ in done]
        check_tables([(each.name, table) for each, table in zip(working, made, strict=True)])
        self._remember(columns)
        self._store(plan, [fitted for _, fitted in done], made)
        return columns, made

    def _fit_call(
        self, each: Assignment, columns: Columns, y: Any, given: dict[str, Arguments], place: str
    ) -> Callable[[], tuple[Any, Any]]:
        part = self._fresh(each)
        taken = columns.take(each.positions, vector=each.vector)
        shown = (type(self).__name__, f"{place} Processing {each.name}" if self.verbose else None)
        arguments = given.get(each.name)
        weight = (self.transformer_weights or {}).get(each.name)
        call = partial(
            fit_apply, "transformer", each.name, part, taken, y, arguments, weight, shown
        )
        return partial(hinting_at_vectors, call, each.columns) if each.vector else call

    def _fresh(self, each: Assignment) -> Any:
        """What is to be fitted to the columns of an assignment."""
        if not isinstance(each.transformer, str):
            return clone(each.transformer)
        from stylobate.compose.passed_columns import PassedColumns

        chosen = getattr(self, "_output_style", {}).get("transform")
        return PassedColumns().set_output(transform=chosen)

    def _store(self, plan: list[Assignment], fitted: list[Any], made: list[Any]) -> None:
        """Keep the fitted transformers, where their columns go, and if the result is sparse."""
        from stylobate.data.sparse import is_sparse
        from stylobate.data.stacking import density_of

        by_name = dict(zip((each.name for each in plan if each.works), fitted, strict=True))
        self.transformers_ = [
            (each.name, by_name.get(each.name, each.transformer), each.columns) for each in plan
        ]
        self._plan = [
            replace(each, transformer=by_name.get(each.name, each.transformer)) for each in plan
        ]
        self.output_indices_ = dict.fromkeys(
            [*(name for name, _ in self._named_parts()), REMAINDER], slice(0, 0)
        )
        start = 0
        for name, table in zip(by_name, made, strict=True):
            self.output_indices_[name] = slice(start, start + table.shape[1])
            start += table.shape[1]
        holds_sparse = any(is_sparse(table) for table in made)
        self.sparse_output_ = holds_sparse and density_of(made) < self.sparse_threshold

    def get_metadata_routing(self) -> Any:
        """scikit-learn's router: which methods of the transformers each call comes to."""
        parts = self._named_parts()
        if not (isinstance(self.remainder, str) and self.remainder == "drop"):
            parts.append((REMAINDER, self.remainder))
        fits = ("fit", "fit_transform")
        return router_of(
            self,
            [
                (name, part, [*transformer_calls(part, fits), ("transform", "transform")])
                for name, part in parts
            ],
        )

    # --- transforming ---------------------------------------------------------------------------

    def transform(self, X: Any, **params: Any) -> Any:
        """What the fitted transformers make of their columns, side by side.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows. The columns of a frame are found by name, so that their order does not matter
            and others may be among them, if the transformers were fitted to a frame.
        **params : object
            For transformers that ask for them, with scikit-learn's metadata routing enabled.

        Returns
        -------
        array, sparse array or frame of shape (n, sum of the transformers' columns)
        """
        from stylobate.data.columns import read_columns

        self._check_fitted()
        refuse_unrouted(type(self).__name__, "transform", params)
        arguments = routed(self, "transform", params)
        columns = read_columns(X, owner=type(self).__name__, min_rows=0, min_columns=0)
        calls = []
        for each in self._found(columns):
            taken = columns.take(each.positions, vector=each.vector)
            weight = (self.transformer_weights or {}).get(each.name)
            given = arguments.get(each.name)
            calls.append(
                partial(apply, "transformer", each.name, each.transformer, taken, weight, given)
            )
        made = run_jobs(calls, self.n_jobs, self, "2*n_jobs")
        names = [each.name for each in self._working()]
        check_tables(list(zip(names, made, strict=True)))
        return self._stack(columns, made)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.export import formula_of
        from stylobate.formula.pieces import weighted

        made: list[Expression] = []
        for each in self._plan:
            if not each.works:
                continue
            taken = [columns[j] for j in each.positions]
            found = formula_of(each.transformer, taken)
            weight = (self.transformer_weights or {}).get(each.name)
            made += found if weight is None else [weighted([x], [weight]) for x in found]
        return made

    def _stack(self, columns: Columns, made: list[Any]) -> Any:
        names = self._input_names()
        return stacked(
            [(each.name, each.transformer, names[each.positions]) for each in self._working()],
            made,
            origin=columns.origin,
            n_rows=columns.n_rows,
            style=self._style(),
            naming=self.verbose_feature_names_out,
            sparse=self.sparse_output_,
        )

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
        fitted = [part for _, part, _ in getattr(self, "transformers_", [])]
        given = [part for _, part in self._named_parts()]
        for part in chain(given, fitted, [self.remainder]):
            hand_on_output(part, transform)
        return self
