"""Where each layer's weights lie in one vector, and the shapes between layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layers.branches import Composite, Parallel
from stylobate.neural_network.layers.layer import Layer, Shape

Layout = dict[str, tuple[int, Shape]]


@dataclass(frozen=True, slots=True)
class Place:
    """A layer within a network.

    Parameters
    ----------
    name : str
        Number and kind, such as "2 Dense"; within others with theirs: "3 Residual / 1 Conv2d".
    layer : Layer
    shape, output : tuple of int
        Of one example before and behind it.
    weights, state : dict of str to (int, tuple of int)
        Where each array begins in the vector, and its shape.
    branches : tuple of tuple of Place, default=()
        The layers that a composite holds; their weights are not among its own.
    """

    name: str
    layer: Layer
    shape: Shape
    output: Shape
    weights: Layout
    state: Layout
    branches: tuple[tuple[Place, ...], ...] = field(default=())

    @property
    def n_parameters(self) -> int:
        """Numbers that are learnt, those of layers within included."""
        return sum(prod(shape) for place in walk([self]) for _, shape in place.weights.values())


def walk(places: Sequence[Place]) -> Iterator[Place]:
    """All places, a composite before those within it."""
    for place in places:
        yield place
        for branch in place.branches:
            yield from walk(branch)


class _Surveyor:
    """Infers and checks shapes, and counts on where weights begin."""

    def __init__(self, largest: int | None) -> None:
        self.at = self.state_at = 0
        self.largest = largest

    def chain(
        self, layers: Sequence[Layer], shape: Shape, labels: Sequence[str], prefix: str
    ) -> tuple[Place, ...]:
        places = []
        for label, layer in zip(labels, layers, strict=True):
            if not isinstance(layer, Layer):
                where = f"layer {prefix}{label}"
                raise InvalidParameterError(f"Network: {where} is not a layer: {layer!r}.")
            places.append(self.place(layer, shape, f"{prefix}{label} {type(layer).__name__}"))
            shape = places[-1].output
        return tuple(places)

    def place(self, layer: Layer, shape: Shape, name: str) -> Place:
        branches = self.branches(layer, shape, name) if isinstance(layer, Composite) else ()
        try:
            if isinstance(layer, Composite):
                output = layer.joined_shape([b[-1].output if b else shape for b in branches])
            else:
                output = layer.output_shape(shape)
        except InvalidParameterError as error:
            raise InvalidParameterError(f"Network: layer {name}: {error}") from None
        if self.largest is not None and prod(output) > self.largest:
            raise InvalidParameterError(
                f"Network: layer {name}: an output of shape {output} has more than {self.largest} "
                "numbers."
            )
        weights, self.at = _laid_out(layer.weight_shapes(shape), self.at)
        kept = {key: start.shape for key, start in layer.state_start(shape).items()}
        state, self.state_at = _laid_out(kept, self.state_at)
        return Place(name, layer, shape, output, weights, state, branches)

    def branches(self, layer: Composite, shape: Shape, name: str) -> tuple[tuple[Place, ...], ...]:
        found = []
        for branch, layers in enumerate(layer.chains(), 1):
            labels = [layer.layer_label(branch, k) for k in range(1, len(layers) + 1)]
            found.append(self.chain(layers, shape, labels, f"{name} / "))
        return tuple(found)


def places_of(layers: Sequence[Layer], shape: Shape, *, largest: int | None = None) -> list[Place]:
    """Infer and check all shapes; what does not fit is said with the layer's name.

    Parameters
    ----------
    layers : sequence of layers
    shape : tuple of int
        Of one example.
    largest : int, optional
        How many numbers may be between two layers, for files of strangers.

    Examples
    --------
    >>> from stylobate.neural_network.layers.dense import Dense
    >>> [place.output for place in places_of([Dense(4), Dense(2)], (3,))]
    [(4,), (2,)]
    """
    labels = [str(number) for number in range(1, len(layers) + 1)]
    return list(_Surveyor(largest).chain(layers, shape, labels, ""))


def _laid_out(shapes: dict[str, Shape], at: int) -> tuple[Layout, int]:
    found = {}
    for name, shape in shapes.items():
        found[name] = (at, shape)
        at += prod(shape)
    return found, at


def views(vector: NDArray[Any], where: Layout) -> dict[str, NDArray[Any]]:
    """The named arrays within a vector: views, no copies."""
    return {
        name: vector[at : at + prod(shape)].reshape(shape) for name, (at, shape) in where.items()
    }


def summary_table(places: Sequence[Place], shape: Shape) -> str:
    """A line per layer: name, shape behind it, parameters (a composite's: of all within)."""
    lines = [("layer", "output", "parameters"), ("input", str(shape), "0")]
    for place in walk(places):
        name = place.name
        if isinstance(place.layer, Parallel):
            name += f" ({place.layer.join})"
        lines.append((name, str(place.output), f"{place.n_parameters:,}"))
    lines.append(("total", "", f"{sum(place.n_parameters for place in places):,}"))
    wide = [max(len(line[k]) for line in lines) for k in range(3)]
    return "\n".join(
        f"{a:<{wide[0]}}  {b:<{wide[1]}}  {c:>{wide[2]}}".rstrip() for a, b, c in lines
    )


def started(places: Sequence[Place], dtype: Any, seed: int) -> NDArray[Any]:
    """First parameters, one stream of draws for all layers."""
    draw = np.random.default_rng(seed)
    parameters = np.empty(sum(place.n_parameters for place in places), dtype=dtype)
    for place in walk(places):
        first = place.layer.start(place.shape, draw)
        for name, into in views(parameters, place.weights).items():
            into[...] = first[name]
    return parameters


def first_state(places: Sequence[Place]) -> NDArray[np.float64]:
    """What layers remember before any training."""
    parts = [np.empty(0)]
    for place in walk(places):
        kept = place.layer.state_start(place.shape)
        parts += [kept[name].reshape(-1) for name in place.state]
    return np.concatenate(parts)
