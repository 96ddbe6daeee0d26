"""Ensembles of different, named estimators: what voting and stacking share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Tags, TransformerMixin, clone
from stylobate.base.composition.part_messages import speaking_of, timed
from stylobate.base.composition.parts import ComposedOfParts, refuse_class
from stylobate.base.composition.routed_arguments import (
    Arguments,
    arguments_of,
    routed,
    router_of,
)
from stylobate.base.constraints import Instance
from stylobate.base.delegation import tags_of
from stylobate.base.jobs import run_jobs
from stylobate.base.routing import routing_enabled
from stylobate.data.weights import read_weights
from stylobate.datasets.bunch import Bunch
from stylobate.ensemble.members import takes_weights
from stylobate.exceptions import InvalidParameterError

DROP = "drop"

Estimators = Annotated[Any, Instance(list)] | Annotated[Any, Instance(tuple)]


@dataclass(frozen=True, eq=False)
class MemberArguments:
    """What members get for their `fit` besides X and y.

    Parameters
    ----------
    weights : dict
        ``sample_weight`` for all of them, or nothing.
    by_name : dict or None
        With metadata routing, what each has asked for.
    """

    weights: dict[str, Any]
    by_name: dict[str, Arguments] | None = None

    def of(self, name: str) -> dict[str, Any]:
        """Of the member of a name."""
        if self.by_name is None:
            return dict(self.weights)
        return arguments_of(self.by_name.get(name), "fit")


def members_have(method: str) -> Any:
    """Whether all members (those to be fitted, before) have a method."""
    return lambda self: all(
        hasattr(each, method)
        for each in vars(self).get("estimators_")
        or [part for _, part in self._named_parts() if not _dropped(part)]
    )


class NamedEnsemble(TransformerMixin, ComposedOfParts):
    """An estimator with a list of named estimators, each possibly "drop"."""

    _parts_parameter = "estimators"
    _part = "estimator"

    if TYPE_CHECKING:
        estimators: Any
        n_jobs: int | None
        estimators_: list[Any]

    def _tags(self) -> Tags:
        kept = [tags_of(part) for _, part in self._named_parts() if not _dropped(part)]
        return (
            super()
            ._tags()
            .but(
                sparse=all(each.sparse for each in kept),
                allow_nan=all(each.allow_nan for each in kept),
                preserves_dtype=(),
            )
        )

    @property
    def named_estimators(self) -> Bunch:
        """The estimators by name, as given."""
        return Bunch(**dict(self.estimators))

    @property
    def named_estimators_(self) -> Bunch:
        """The fitted estimators by name; "drop" where one was left out."""
        fitted = iter(self.estimators_)
        return Bunch(
            **{name: DROP if _dropped(part) else next(fitted) for name, part in self._named_parts()}
        )

    def _kept(self, kind: str | None) -> list[tuple[str, Any]]:
        """The estimators that are not dropped; refuses lists without any, and those of no use."""
        owner = type(self).__name__
        if not self.estimators:
            raise InvalidParameterError(
                f"{owner}: Invalid 'estimators' attribute, 'estimators' should be a non-empty list "
                "of (string, estimator) tuples."
            )
        self._check_parts()
        kept = [(name, part) for name, part in self._named_parts() if not _dropped(part)]
        if not kept:
            raise InvalidParameterError(
                f"{owner}: All estimators are dropped. At least one is required to be an estimator."
            )
        for name, part in kept:
            refuse_class(part, f"{owner}: estimator {name!r}")
            if not hasattr(part, "fit"):
                raise InvalidParameterError(
                    f"{owner}: estimator {name!r} must be an estimator or 'drop', got {part!r}."
                )
            if kind is not None and tags_of(part).estimator_type != kind:
                raise InvalidParameterError(
                    f"{owner}: The estimator {name!r} should be a {kind}, got {part!r}."
                )
        return kept

    def get_metadata_routing(self) -> Any:
        """scikit-learn's router: `fit` comes to that of every estimator."""
        return router_of(self, [(name, part, (("fit", "fit"),)) for name, part in self.estimators])

    def _weights(self, fit_params: dict[str, Any], n_rows: int) -> MemberArguments:
        """Further arguments of `fit`: what members ask for, or ``sample_weight`` for all."""
        owner = type(self).__name__
        if routing_enabled():
            return MemberArguments({}, routed(self, "fit", fit_params))
        unknown = [key for key in fit_params if key != "sample_weight"]
        if unknown:
            raise InvalidParameterError(
                f"{owner}.fit got unexpected argument(s) {unknown}; besides X and y it takes "
                "sample_weight."
            )
        weights = read_weights(fit_params.get("sample_weight"), n_rows, owner=owner)
        return MemberArguments({} if weights is None else {"sample_weight": weights})

    def _fitted_members(
        self, kept: Sequence[tuple[str, Any]], X: Any, y: NDArray[Any], given: MemberArguments
    ) -> list[Any]:
        """A fitted clone of each."""
        for name, part in kept:
            if given.weights and not takes_weights(part):
                raise InvalidParameterError(
                    f"{type(self).__name__}: Underlying estimator {name!r} "
                    f"({type(part).__name__}) does not support sample weights; leave "
                    "sample_weight out, or that estimator."
                )
        whose = type(self).__name__.removesuffix("Classifier").removesuffix("Regressor")
        shown = bool(vars(self).get("verbose"))
        calls = [
            partial(
                _fit,
                name,
                clone(part),
                X,
                y,
                given.of(name),
                (whose, f"({i} of {len(kept)}) Processing {name}" if shown else None),
            )
            for i, (name, part) in enumerate(kept, 1)
        ]
        return run_jobs(calls, self.n_jobs, self, "2*n_jobs")

    def _kept_names(self) -> Iterator[str]:
        return (name for name, part in self._named_parts() if not _dropped(part))


def _dropped(part: Any) -> bool:
    return isinstance(part, str) and part == DROP


def _fit(
    name: str,
    part: Any,
    X: Any,
    y: NDArray[Any],
    arguments: dict[str, Any],
    shown: tuple[str, str | None],
) -> Any:
    with speaking_of("estimator", name, part), timed(*shown):
        return part.fit(X, y, **arguments)


def names_for(prefix: str, names: Sequence[str], widths: Sequence[int]) -> NDArray[np.object_]:
    """One name for each column of each estimator: with a number where it has several.

    >>> names_for("votingclassifier", ["a", "b"], [1, 2]).tolist()
    ['votingclassifier_a', 'votingclassifier_b0', 'votingclassifier_b1']
    """
    made = [
        f"{prefix}_{name}" if width == 1 else f"{prefix}_{name}{column}"
        for name, width in zip(names, widths, strict=True)
        for column in range(width)
    ]
    return np.array(made, dtype=object)
