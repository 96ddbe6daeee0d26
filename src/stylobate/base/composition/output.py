"""The container chosen by `set_output`, handed on to the parts."""

from __future__ import annotations

from typing import Any

from stylobate.base.tags import Tagged
from stylobate.exceptions import InvalidParameterError


def hand_on_output(part: Any, transform: str | None) -> None:
    """Call a part's own `set_output`; what does not transform is left alone.

    scikit-learn's transformers know no pyarrow: they give arrays, which whoever asked converts.
    """
    if isinstance(part, str) or part is None or transform is None:
        return
    if not (hasattr(part, "transform") or hasattr(part, "fit_transform")):
        return
    if not hasattr(part, "set_output"):
        raise InvalidParameterError(
            f"Unable to configure output for {part!r}, because `set_output` is not available."
        )
    if transform == "pyarrow" and not isinstance(part, Tagged):
        transform = "default"
    part.set_output(transform=transform)
