"""Where the boxes and lines of a network's drawing lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from stylobate.neural_network.layers.activation import Activation, Dropout, PReLU
from stylobate.neural_network.layers.branches import Composite, Parallel, Residual
from stylobate.neural_network.layers.convolution import Conv2d
from stylobate.neural_network.layers.dense import Dense, Flatten
from stylobate.neural_network.layers.embedding import Embedding
from stylobate.neural_network.layers.layer import Layer, Shape
from stylobate.neural_network.layers.normalization import BatchNorm, LayerNorm
from stylobate.neural_network.layers.pooling import Pooling
from stylobate.neural_network.layout import Place

Point = tuple[float, float]
_FUSED = Activation | PReLU | Dropout | Flatten | BatchNorm | LayerNorm
_BESIDE = 0.2  # of a box, between branches


@dataclass(frozen=True, slots=True)
class Box:
    """A layer, with those behind it that keep the shape, at a place of the drawing.

    Parameters
    ----------
    at : pair of float
        Of its middle; a box is one wide and less than one high.
    words : tuple of str
        Lines of text.
    kind : int
        What it is: 0 input, 1 dense, 2 convolution, 3 pooling, 4 join, 5 other.
    """

    at: Point
    words: tuple[str, ...]
    kind: int


@dataclass(slots=True)
class Diagram:
    """Boxes, the lines between them (each a few points), and frames around repeated blocks.

    Examples
    --------
    >>> from stylobate.neural_network import Dense, Network, Residual
    >>> drawn = Network([Dense(4), Residual([Dense(4)])], 4).diagram()
    >>> [box.words[0] for box in drawn.boxes]
    ['input', 'Dense 4', 'Dense 4', 'add']
    """

    boxes: list[Box] = field(default_factory=list)
    lines: list[list[Point]] = field(default_factory=list)
    frames: list[tuple[Point, Point, str]] = field(default_factory=list)
    width: float = 1.0
    height: float = 1.0


@dataclass(slots=True)
class _Group:
    """Layers drawn as one box, or a composite, so many times in a row."""

    places: list[Place]
    repeats: int = 1

    @property
    def composite(self) -> Composite | None:
        layer = self.places[0].layer
        return layer if isinstance(layer, Composite) else None

    def same(self, other: _Group) -> bool:
        mine, theirs = ([(p.layer, p.shape) for p in g.places] for g in (self, other))
        return self.composite is not None and mine == theirs


def _groups(places: Sequence[Place]) -> list[_Group]:
    fused: list[_Group] = []
    for place in places:
        if fused and isinstance(place.layer, _FUSED):
            fused[-1].places.append(place)
        else:
            fused.append(_Group([place]))
    found: list[_Group] = []
    for group in fused:
        if found and found[-1].same(group):
            found[-1].repeats += 1
        else:
            found.append(group)
    return found


def _width(places: Sequence[Place]) -> float:
    """Of a chain, in boxes; a branch of no layers is a narrow line."""
    widths = [0.35]
    for group in _groups(places):
        branches = group.places[0].branches
        inner = sum(_width(branch) for branch in branches) + _BESIDE * (len(branches) - 1)
        widths.append(max(1.0, inner))
    return max(widths)


class _Pen:
    def __init__(self) -> None:
        self.drawn = Diagram()

    def box(self, middle: float, row: float, words: Sequence[str], kind: int) -> None:
        self.drawn.boxes.append(Box((middle, -row), tuple(words), kind))

    def chain(
        self, places: Sequence[Place], middle: float, row: float, above: float
    ) -> tuple[float, float]:
        """Draw from this row down, on a line from `above`; the row behind, and where it ended."""
        for group in _groups(places):
            if group.composite is not None:
                row = self.branches(group, middle, row + 0.25, above)
            else:
                count = sum(place.n_parameters for place in group.places)
                kind = _kind(group.places[0].layer)
                self.box(middle, row, _words(group, group.places[-1].output, count), kind)
                self.drawn.lines.append([(middle, above), (middle, -row)])
            above, row = -row, row + 1.0
        return row, above

    def branches(self, group: _Group, middle: float, row: float, above: float) -> float:
        """Draw a composite; gives the row of the box that joins its branches."""
        first, fork, top = group.places[0], -(row - 0.5), row + 0.2
        widths = [_width(branch) for branch in first.branches]
        total = sum(widths) + _BESIDE * (len(widths) - 1)
        left, ends = middle - 0.5 * total, []
        self.drawn.lines.append([(middle, above), (middle, fork)])
        for branch, width in zip(first.branches, widths, strict=True):
            at = left + 0.5 * width
            self.drawn.lines.append([(middle, fork), (at, fork)])
            ends.append((at, *self.chain(branch, at, top, fork)))
            left += width + _BESIDE
        join = max(max(end for _, end, _ in ends) + 0.15, top + 0.9)
        level = -(join - 0.5)
        for at, _, low in ends:
            self.drawn.lines.append([(at, low), (at, level), (middle, level)])
        self.drawn.lines.append([(middle, level), (middle, -join)])
        count = group.repeats * sum(place.n_parameters for place in group.places)
        self.box(middle, join, _words(group, group.places[-1].output, count), 4)
        if group.repeats > 1:
            half = 0.5 * max(total, 1.0) + 0.12
            corners = (middle - half, -(join + 0.48)), (middle + half, fork + 0.1)
            self.drawn.frames.append((*corners, f"× {group.repeats}"))
        return join


def _kind(layer: Layer) -> int:
    if isinstance(layer, Dense | Embedding):
        return 1
    if isinstance(layer, Conv2d):
        return 2
    return 3 if isinstance(layer, Pooling) else 5


def _title(layer: Layer) -> str:
    if isinstance(layer, Dense):
        return f"Dense {layer.units}"
    if isinstance(layer, Conv2d):
        high, wide = layer._window().size
        return f"Conv2d {layer.filters} × {high}×{wide}"
    if isinstance(layer, Parallel):
        return layer.join
    if isinstance(layer, Residual):
        return "add" if layer.scale == 1.0 else f"add, scaled by {layer.scale:g}"
    if isinstance(layer, Activation):
        return layer.kind
    return type(layer).__name__


def _words(group: _Group, output: Shape, count: int) -> list[str]:
    first, *others = [_title(place.layer) for place in group.places]
    words = [first, " · ".join(others)] if others else [first]
    size = " × ".join(map(str, output))
    return [*words, f"{size}; {count:,} weights" if count else size]


def diagram_of(places: Sequence[Place], shape: Shape) -> Diagram:
    """As `Network.diagram`."""
    pen, width = _Pen(), max(_width(places), 1.0)
    pen.box(0.5 * width, 0.0, ["input", " × ".join(map(str, shape))], 0)
    end, _ = pen.chain(places, 0.5 * width, 1.0, 0.0)
    pen.drawn.width, pen.drawn.height = width, end
    return pen.drawn
