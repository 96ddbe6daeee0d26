"""What `hidden_layer_sizes` may be."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

from stylobate.base.constraints import Constraint, is_number


class LayerSizes(Constraint):
    """Units of one hidden layer, or of several; none: the inputs go straight to the outputs.

    >>> LayerSizes().accepts((16, 8)), LayerSizes().accepts(()), LayerSizes().accepts([0])
    (True, True, False)
    """

    words = "> 0: a whole number of units, or a sequence of them"

    def accepts(self, value: Any) -> bool:
        if isinstance(value, str | bytes | dict):
            return False
        sizes = list(value) if isinstance(value, Iterable) else [value]
        return all(is_number(size, Integral) and size >= 1 for size in sizes)

    def suspects(self) -> tuple[Any, ...]:
        return 0, -1, 1.5, (4, 0), "4", [[4]]


class AtLeastOneLayer(LayerSizes):
    """The same, where a hidden layer is needed.

    >>> AtLeastOneLayer().accepts((16, 8)), AtLeastOneLayer().accepts(())
    (True, False)
    """

    words = "> 0: a whole number of units, or a sequence of at least one of them"

    def accepts(self, value: Any) -> bool:
        sized = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [1]
        return bool(sized) and super().accepts(value)
