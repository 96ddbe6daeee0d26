"""What the parameters of networks for images may be."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from stylobate.base.constraints import Constraint, is_number
from stylobate.neural_network.layers.layer import Layer


class LayerSequence(Constraint):
    """Layers one behind the other.

    >>> LayerSequence().accepts([]), LayerSequence().accepts([3])
    (True, False)
    """

    words = "a sequence of layers, such as [Conv2d(16), Activation('relu')]"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list | tuple) and all(isinstance(v, Layer) for v in value)

    def suspects(self) -> tuple[Any, ...]:
        return 3, "conv", [3], [None]


class ImageShape(Constraint):
    """(height, width) or (channels, height, width).

    >>> ImageShape().accepts((8, 8)), ImageShape().accepts((8, 0))
    (True, False)
    """

    words = "(height, width) or (channels, height, width), whole numbers > 0"

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, list | tuple) or len(value) not in (2, 3):
            return False
        return all(is_number(size, Integral) and size >= 1 for size in value)

    def suspects(self) -> tuple[Any, ...]:
        return 8, (8,), (8, 0), (1.5, 2), "8x8", (1, 1, 1, 1)


class Augmentations(Constraint):
    """One change of images, or several.

    >>> Augmentations().accepts(print), Augmentations().accepts([2]), Augmentations().accepts(int)
    (True, False, False)
    """

    words = "RandomShift(2) or the like, a function of (images, generator), or a sequence of them"

    def accepts(self, value: Any) -> bool:
        steps = value if isinstance(value, list | tuple) else [value]
        return all(callable(step) and not isinstance(step, type) for step in steps)

    def suspects(self) -> tuple[Any, ...]:
        return 2, "shift", [2], object
