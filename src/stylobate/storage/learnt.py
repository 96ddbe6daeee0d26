"""What an estimator had learnt when it was saved, so that a part that is lost or changed is missed.

Beside the state of an estimator its file says, for each attribute that is no parameter, what kind
of value it is: ``{"coef_": "<f8 (3,)", "n_iter_": "number"}``. Files of the first version of the
format do not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import ModelFileError
from stylobate.storage.names import is_estimator

_NUMBERS = (int, float, np.integer, np.floating)


def learnt_kinds(kind: type[Any], state: dict[str, Any]) -> dict[str, str]:
    """The kinds of what an estimator has learnt.

    >>> from stylobate.linear_model import Ridge
    >>> learnt_kinds(Ridge, {"alpha": 1.0, "coef_": np.zeros(3), "n_features_in_": 3})
    {'coef_': '<f8 (3,)', 'n_features_in_': 'number'}
    """
    if not is_estimator(kind):
        return {}
    return {name: _kind(each) for name, each in state.items() if is_learnt(name)}


def is_learnt(name: str) -> bool:
    """Whether an attribute of an estimator is none of its parameters."""
    return name.startswith("_") or name.endswith("_")


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        wide = value.dtype.kind in "US"  # room that texts leave empty is not kept
        dtype = value.dtype.kind if wide else value.dtype.newbyteorder("<").str
        return f"{dtype} {value.shape}"
    if hasattr(value, "tocsr"):
        return f"sparse {value.shape}"
    if isinstance(value, bool | np.bool_):
        return "truth value"
    return "number" if isinstance(value, _NUMBERS) else type(value).__name__


def check_whole(kind: type[Any], state: dict[str, Any], learnt: Any) -> None:
    """Refuse an estimator that has lost something it had learnt."""
    missing = _record(kind, learnt).keys() - state.keys()
    if missing:
        raise ModelFileError(
            f"The {kind.__name__} of the file lacks {', '.join(sorted(missing))[:200]}, which it "
            "had learnt."
        )


def check_kinds(built: Any, learnt: Any) -> None:
    """Refuse an estimator one of whose values is of another kind than when it was saved."""
    kind, record = type(built), _record(type(built), learnt)
    if learnt is None:
        return
    for name, found in learnt_kinds(kind, vars(built)).items():
        if found != record.get(name):
            said = f"{record[name][:50]} is said" if name in record else "nothing is said"
            raise ModelFileError(
                f"The {kind.__name__} of the file has {name} ({found}) where {said}."
            )


def _record(kind: type[Any], learnt: Any) -> dict[str, str]:
    if learnt is None:
        return {}
    if not isinstance(learnt, dict) or not all(isinstance(each, str) for each in learnt.values()):
        raise ModelFileError(f"The {kind.__name__} of the file does not say what it had learnt.")
    return learnt
