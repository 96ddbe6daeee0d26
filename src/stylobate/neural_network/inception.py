"""Blocks of Inception-ResNet-v2, as in the code whose weights are published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.branches import Parallel, Residual
from stylobate.neural_network.layers.convolution import Conv2d
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.layers.normalization import BatchNorm
from stylobate.neural_network.layers.pooling import AvgPool2d, MaxPool2d

Layers = list[Layer]


def convolution(filters: int, size: Any, *, stride: int = 1, padding: Any = "same") -> Layers:
    """A convolution without bias, a normalisation that only shifts, a rectifier.

    Examples
    --------
    >>> [type(layer).__name__ for layer in convolution(32, 3)]
    ['Conv2d', 'BatchNorm', 'Activation']
    """
    return [
        Conv2d(filters, size, stride=stride, padding=padding, bias=None),
        BatchNorm(momentum=0.01, epsilon=1e-3, scale=False),
        Activation("relu"),
    ]


def _side_by_side(branches: Sequence[Sequence[Layer]]) -> Parallel:
    return Parallel(tuple(tuple(branch) for branch in branches))


def inception_stem() -> Layers:
    """From 3 × 299 × 299 to 320 × 35 × 35."""
    valid: dict[str, Any] = {"padding": 0}
    return [
        *convolution(32, 3, stride=2, **valid),
        *convolution(32, 3, **valid),
        *convolution(64, 3),
        MaxPool2d(3, stride=2),
        *convolution(80, 1, **valid),
        *convolution(192, 3, **valid),
        MaxPool2d(3, stride=2),
        _side_by_side(
            [
                convolution(96, 1),
                [*convolution(48, 1), *convolution(64, 5)],
                [*convolution(64, 1), *convolution(96, 3), *convolution(96, 3)],
                [
                    AvgPool2d(3, stride=1, padding="same", count_include_pad=False),
                    *convolution(64, 1),
                ],
            ]
        ),
    ]


def _residual(
    branches: Sequence[Layers], channels: int, scale: float, *, rectified: bool = True
) -> Layers:
    """Branches, a convolution of 1 × 1 back to so many channels, added to what came in."""
    block: Layers = [Residual((_side_by_side(branches), Conv2d(channels, 1)), scale=scale)]
    return [*block, Activation("relu")] if rectified else block


def inception_a(scale: float) -> Layers:
    """On 35 × 35 (Inception-ResNet-A, "block35")."""
    return _residual(
        [
            convolution(32, 1),
            [*convolution(32, 1), *convolution(32, 3)],
            [*convolution(32, 1), *convolution(48, 3), *convolution(64, 3)],
        ],
        320,
        scale,
    )


def reduction_a() -> Layers:
    """To 1088 × 17 × 17."""
    return [
        _side_by_side(
            [
                convolution(384, 3, stride=2, padding=0),
                [
                    *convolution(256, 1),
                    *convolution(256, 3),
                    *convolution(384, 3, stride=2, padding=0),
                ],
                [MaxPool2d(3, stride=2)],
            ]
        )
    ]


def inception_b(scale: float) -> Layers:
    """On 17 × 17 (Inception-ResNet-B, "block17")."""
    return _residual(
        [
            convolution(192, 1),
            [*convolution(128, 1), *convolution(160, (1, 7)), *convolution(192, (7, 1))],
        ],
        1088,
        scale,
    )


def reduction_b() -> Layers:
    """To 2080 × 8 × 8."""
    down: dict[str, Any] = {"stride": 2, "padding": 0}
    return [
        _side_by_side(
            [
                [*convolution(256, 1), *convolution(384, 3, **down)],
                [*convolution(256, 1), *convolution(288, 3, **down)],
                [*convolution(256, 1), *convolution(288, 3), *convolution(320, 3, **down)],
                [MaxPool2d(3, stride=2)],
            ]
        )
    ]


def inception_c(scale: float, *, rectified: bool = True) -> Layers:
    """On 8 × 8 (Inception-ResNet-C, "block8")."""
    return _residual(
        [
            convolution(192, 1),
            [*convolution(192, 1), *convolution(224, (1, 3)), *convolution(256, (3, 1))],
        ],
        2080,
        scale,
        rectified=rectified,
    )
