"""Arguments that estimator, splitter and scorers have asked for, by scikit-learn's routing."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stylobate.base.routing import routing_enabled
from stylobate.metrics.scoring.accumulation import ONE
from stylobate.metrics.scoring.scorers import BuiltInScore, ManyScorers

if TYPE_CHECKING:
    from stylobate.model_selection.validation.data import Data

_FIT = ("fit",)


def handed_out(
    owner: Any, data: Data, estimator: Any, splitter: Any, scorer: Any = None, fits: Any = _FIT
) -> Data:
    """The data with each argument at those who have asked for it, where routing is enabled.

    Parameters
    ----------
    owner : estimator or str
        Who validates.
    data : Data
        With all arguments in ``params``.
    estimator, splitter, scorer
        Who may ask; without a scorer nothing is scored.
    fits : tuple of str
        The estimator's methods that learn; arguments of the last one are kept.

    Raises
    ------
    sklearn.exceptions.UnsetMetadataPassedError
        For arguments that somebody takes and has not spoken of.
    """
    if not routing_enabled() or not data.params:
        return data
    routing = sys.modules["sklearn.utils.metadata_routing"]
    router = routing.MetadataRouter(owner=owner)

    def add(name: str, thing: Any, *methods: str) -> None:
        mapping = routing.MethodMapping()
        for method in methods:
            mapping.add(caller="fit", callee=method)
        router.add(method_mapping=mapping, **{name: thing})

    add("splitter", splitter, "split")
    add("estimator", estimator, *fits)
    named = scorers_by_name(scorer)
    for name, each in named.items():
        add(f"scorer_{name}", estimator if isinstance(each, BuiltInScore) else each, "score")
    found = _processed(routing, router, owner, data.params)
    return replace(
        data,
        params=dict(found["estimator"][fits[-1]]),
        split_params=dict(found["splitter"]["split"]),
        scorer_params={name: dict(found[f"scorer_{name}"]["score"]) for name in named},
    )


def scorers_by_name(scorer: Any) -> dict[str, Any]:
    """The scorers of a validation; none of None."""
    if scorer is None:
        return {}
    return dict(scorer.scorers) if isinstance(scorer, ManyScorers) else {ONE: scorer}


def _processed(routing: Any, router: Any, owner: Any, params: dict[str, Any]) -> Any:
    unset = sys.modules["sklearn.exceptions"].UnsetMetadataPassedError
    try:
        return routing.process_routing(router, "fit", **params)
    except unset as error:
        raise unset(
            message=str(error).replace(f"{owner}.fit", str(owner)),
            unrequested_params=error.unrequested_params,
            routed_params=error.routed_params,
        ) from None
