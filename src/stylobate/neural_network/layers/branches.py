"""Layers that hold layers: branches side by side, and residual blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, prod

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layers.layer import Layer, Rows, Shape

JOINS = ("concatenate", "add")


class Composite(Layer):
    """Chains of layers that all see the same input, and a rule that joins their outputs.

    The network walks through the chains; a composite says which there are, which shape comes out
    and how outputs are joined and their derivatives handed back.
    """

    def chains(self) -> tuple[tuple[Layer, ...], ...]:
        """The layers of every branch; an empty one passes its input on."""
        raise NotImplementedError

    def joined_shape(self, shapes: Sequence[Shape]) -> Shape:
        """The shape of one example behind the join; refuses branches that do not fit."""
        raise NotImplementedError

    def joined(self, outputs: Sequence[Rows]) -> Rows:
        """The outputs of the branches as one."""
        raise NotImplementedError

    def parted(self, dy: Rows, shapes: Sequence[Shape]) -> list[Rows]:
        """Derivatives by the branches' outputs, given those by the joined ones."""
        raise NotImplementedError

    def layer_label(self, branch: int, number: int) -> str:
        """How a layer within is counted, such as "2.1": the first of the second branch."""
        return f"{branch}.{number}"


def _chain(layers: Layer | Sequence[Layer]) -> tuple[Layer, ...]:
    return (layers,) if isinstance(layers, Layer) else tuple(layers)


@dataclass(frozen=True)
class Parallel(Composite):
    """Branches that see the same input; their outputs are concatenated or added.

    Parameters
    ----------
    branches : sequence of sequences of layers
        An empty branch passes the input on. A single layer is a branch of one.
    join : {"concatenate", "add"}, default="concatenate"
        Channels of images, or features, one branch behind the other; or the sum of outputs that
        have one shape.

    References
    ----------
    Szegedy et al. (2015), Going deeper with convolutions.

    Examples
    --------
    >>> from stylobate.neural_network import Conv2d, MaxPool2d, Network
    >>> inception = Parallel([[Conv2d(4, 1)], [Conv2d(2, 1), Conv2d(8, 3, padding=1)], []])
    >>> print(Network([inception, MaxPool2d(2)], (3, 8, 8)).summary())
    layer                      output      parameters
    input                      (3, 8, 8)            0
    1 Parallel (concatenate)   (15, 8, 8)         176
    1 Parallel / 1.1 Conv2d    (4, 8, 8)           16
    1 Parallel / 2.1 Conv2d    (2, 8, 8)            8
    1 Parallel / 2.2 Conv2d    (8, 8, 8)          152
    2 MaxPool2d                (15, 4, 4)           0
    total                                         176
    """

    branches: Sequence[Layer | Sequence[Layer]]
    join: str = "concatenate"

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", self.chains())
        if not self.branches:
            raise InvalidParameterError("Parallel: branches must be at least one, got none.")
        if self.join not in JOINS:
            raise InvalidParameterError(
                f"Parallel: join must be one of {', '.join(JOINS)}, got {self.join!r}."
            )

    def chains(self) -> tuple[tuple[Layer, ...], ...]:
        return tuple(_chain(branch) for branch in self.branches)

    def joined_shape(self, shapes: Sequence[Shape]) -> Shape:
        added = self.join == "add"
        if len({shape if added else (len(shape), *shape[1:]) for shape in shapes}) > 1:
            agree = "one shape" if added else "one height and width"
            raise InvalidParameterError(
                f"Parallel: outputs of branches must have {agree} to be joined by "
                f"{self.join!r}, got {' and '.join(map(str, shapes))}."
            )
        return shapes[0] if added else (sum(shape[0] for shape in shapes), *shapes[0][1:])

    def joined(self, outputs: Sequence[Rows]) -> Rows:
        if self.join == "concatenate":
            return np.concatenate(outputs, axis=1)
        total = outputs[0]
        for other in outputs[1:]:
            total = total + other
        return total

    def parted(self, dy: Rows, shapes: Sequence[Shape]) -> list[Rows]:
        if self.join == "add":
            return [dy] * len(shapes)
        ends = np.cumsum([prod(shape) for shape in shapes])[:-1]
        return [np.ascontiguousarray(part) for part in np.split(dy, ends, axis=1)]


@dataclass(frozen=True)
class Residual(Composite):
    r"""What layers add to their input: :math:`y = g(x) + s\,f(x)`.

    Parameters
    ----------
    layers : sequence of layers
        f.
    shortcut : sequence of layers, default=()
        g, the input itself by default; a `Conv2d` of size 1 where shapes differ.
    scale : float, default=1.0
        s; small ones (0.1 to 0.3) keep very wide residual networks stable.

    References
    ----------
    He et al. (2016), Deep residual learning for image recognition. Szegedy et al. (2017),
    Inception-v4, Inception-ResNet and the impact of residual connections on learning.

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Conv2d, Network
    >>> block = Residual([Conv2d(4, padding="same"), Activation("relu"), Conv2d(4, padding=1)])
    >>> Network([block, Activation("relu")], (4, 8, 8)).output_shape
    (4, 8, 8)
    """

    layers: Layer | Sequence[Layer]
    shortcut: Layer | Sequence[Layer] = ()
    scale: float = 1.0

    def __post_init__(self) -> None:
        for name in ("layers", "shortcut"):
            object.__setattr__(self, name, _chain(getattr(self, name)))
        if not self.layers:
            raise InvalidParameterError("Residual: layers must be at least one, got none.")
        if not isfinite(self.scale):
            raise InvalidParameterError(
                f"Residual: scale must be a finite number, got {self.scale!r}."
            )

    def chains(self) -> tuple[tuple[Layer, ...], ...]:
        return _chain(self.layers), _chain(self.shortcut)

    def layer_label(self, branch: int, number: int) -> str:
        return f"shortcut {number}" if branch == 2 else str(number)

    def joined_shape(self, shapes: Sequence[Shape]) -> Shape:
        if shapes[0] != shapes[1]:
            raise InvalidParameterError(
                f"Residual: its layers give shape {shapes[0]}, which cannot be added to that of "
                f"its shortcut, {shapes[1]}; a shortcut of [Conv2d(filters, 1)] (or Dense) can "
                "change the latter."
            )
        return shapes[0]

    def joined(self, outputs: Sequence[Rows]) -> Rows:
        return np.asarray(outputs[1] + outputs[0] * outputs[0].dtype.type(self.scale))

    def parted(self, dy: Rows, shapes: Sequence[Shape]) -> list[Rows]:
        return [dy if self.scale == 1.0 else dy * dy.dtype.type(self.scale), dy]
