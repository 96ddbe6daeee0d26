"""Passes through the layers of a network, forward and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.neural_network.layers.branches import Composite
from stylobate.neural_network.layers.finished import finished
from stylobate.neural_network.layers.layer import Course, Rows
from stylobate.neural_network.layout import Place, views

# (place, "forward" or "backward", outputs or derivatives by them): who looks on during a pass
Watch = Callable[[Place, str, Rows], None]


WINDOW_ROWS = 256  # taken through all layers at a time where nothing is learnt


@dataclass(frozen=True, slots=True)
class Stage:
    """A layer with its weights, bound once and used by many passes.

    Parameters
    ----------
    place : Place
    weights, gradient, state : dict of str to array
        Views within the network's vectors.
    branches : tuple of list of Stage
        Of a composite.
    """

    place: Place
    weights: dict[str, NDArray[Any]]
    gradient: dict[str, NDArray[Any]]
    state: dict[str, NDArray[Any]]
    branches: tuple[list[Stage], ...]


def stages_of(
    places: Sequence[Place],
    parameters: NDArray[Any],
    state: Array,
    gradient: NDArray[Any] | None = None,
) -> list[Stage]:
    """The layers bound to vectors of parameters, state and (for ways back) derivatives."""
    return [
        Stage(
            place,
            views(parameters, place.weights),
            {} if gradient is None else views(gradient, place.weights),
            views(state, place.state),
            tuple(stages_of(branch, parameters, state, gradient) for branch in place.branches),
        )
        for place in places
    ]


def _merged(stages: Sequence[Stage]) -> list[Stage]:
    """The same passes in fewer steps, where a convolution does what follows it at once."""
    found, at = [], 0
    while at < len(stages):
        first = stages[at]
        layer, count = finished([stage.place.layer for stage in stages[at : at + 3]])
        if count > 1:
            first = replace(first, place=replace(first.place, layer=layer))
        found.append(first)
        at += count
    return found


def forward(
    stages: Sequence[Stage],
    x: Rows,
    draw: np.random.Generator | None,
    watch: Watch | None = None,
) -> tuple[Rows, list[Any]]:
    """Outputs, and what the way back needs; with a `draw` as in training, where states move on."""
    kept = []
    for stage in _merged(stages) if watch is None else stages:
        place = stage.place
        if isinstance(place.layer, Composite):
            found = [forward(branch, x, draw, watch) for branch in stage.branches]
            x, needed = place.layer.joined([y for y, _ in found]), [inner for _, inner in found]
        else:
            course = Course(draw is not None, draw, stage.state)
            x, needed = place.layer.forward(x, place.shape, stage.weights, course)
        if watch is not None:
            watch(place, "forward", x)
        kept.append(needed)
    return x, kept


def backward(
    stages: Sequence[Stage],
    d: Rows,
    kept: list[Any],
    *,
    by_input: bool,
    watch: Watch | None = None,
) -> Rows | None:
    """Write all derivatives by weights; give those by the input, if asked for."""
    stages = _merged(stages) if watch is None else stages
    for number in range(len(stages) - 1, -1, -1):
        stage, needed, last = stages[number], kept[number], number == 0 and not by_input
        place = stage.place
        if watch is not None:
            watch(place, "backward", d)
        if isinstance(place.layer, Composite):
            back = _composite_back(stage, d, needed, not last, watch)
            if back is None:
                return None
            d = back
            continue
        if last:
            found = place.layer.backward_weights(d, needed, place.shape, stage.weights)
        else:
            d, found = place.layer.backward(d, needed, place.shape, stage.weights)
        for name, into in stage.gradient.items():
            into[...] = found[name]
    return d if by_input else None


def _composite_back(
    stage: Stage, d: Rows, kept: list[Any], by_input: bool, watch: Watch | None
) -> Rows | None:
    """Through all branches; derivatives by their common input add up."""
    place, layer = stage.place, stage.place.layer
    assert isinstance(layer, Composite)
    shapes = [branch[-1].output if branch else place.shape for branch in place.branches]
    total: Rows | None = None
    for branch, part, inner in zip(stage.branches, layer.parted(d, shapes), kept, strict=True):
        back = backward(branch, part, inner, by_input=by_input, watch=watch)
        if back is not None:
            total = back if total is None else total + back
    return total
