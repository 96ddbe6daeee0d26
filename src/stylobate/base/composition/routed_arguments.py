"""Which part gets which of the arguments that a composition was given, for each of its methods.

By default the caller says it in the name, ``step__parameter``. With scikit-learn's metadata routing
enabled every part asks for what it wants (`set_fit_request` and so on), and scikit-learn's own
router hands it out; it is loaded already, since only there routing can be enabled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from stylobate.base.routing import routing_enabled
from stylobate.exceptions import InvalidParameterError

Arguments = Mapping[str, dict[str, Any]]  # of a part: method → its arguments
FITS = ("fit", "fit_transform", "fit_predict", "partial_fit")
Calls = Iterable[tuple[str, str]]  # method of the composition, method of the part it calls


def routed(composition: Any, method: str, params: dict[str, Any]) -> dict[str, Arguments]:
    """By part, by request: what scikit-learn's router gives each."""
    if not params:
        return {}
    routing = sys.modules["sklearn.utils.metadata_routing"]
    return dict(routing.process_routing(composition, method, **params))


def same_for_fits(params: dict[str, dict[str, Any]]) -> dict[str, Arguments]:
    """Arguments by part, meant for whichever method fits it."""
    return {name: dict.fromkeys(FITS, given) for name, given in params.items()}


def arguments_of(part: Arguments | None, method: str) -> dict[str, Any]:
    """What a part gets for one of its methods."""
    return dict(part.get(method) or {}) if part else {}


def refuse_unrouted(owner: str, method: str, params: Mapping[str, Any]) -> None:
    """Arguments nobody can say the receiver of, unless parts ask for them."""
    if params and not routing_enabled():
        raise InvalidParameterError(
            f"{owner}.{method}: [{', '.join(params)}] passed, which is only supported if "
            "enable_metadata_routing=True: steps then ask for it, by set_"
            f"{method}_request. See sklearn.set_config."
        )


def router_of(composition: Any, parts: Iterable[tuple[str, Any, Calls]]) -> Any:
    """scikit-learn's router of a composition: names, parts, and which calls become which."""
    routing = sys.modules["sklearn.utils.metadata_routing"]  # they are asking, so it is loaded
    router = routing.MetadataRouter(owner=composition)
    for name, part, calls in parts:
        mapping = routing.MethodMapping()
        for caller, callee in calls:
            mapping.add(caller=caller, callee=callee)
        router.add(method_mapping=mapping, **{name: part})
    return router


def transformer_calls(part: Any, fits: Iterable[str]) -> list[tuple[str, str]]:
    """What fits of a composition call of a transformer among its parts."""
    whole = hasattr(part, "fit_transform")
    called = ("fit_transform",) if whole else ("fit", "transform")
    return [(fit, method) for fit in fits for method in called]
