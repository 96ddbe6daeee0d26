"""Batch, layer and local response normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.layers.layer import (
    Course,
    Layer,
    Rows,
    Shape,
    Weights,
    require_image,
    require_positive,
    require_share,
    require_whole,
)


@dataclass(frozen=True)
class BatchNorm(Layer):
    r"""Features, or channels of images, brought to mean 0 and variance 1, then scaled and shifted.

    .. math:: y = \gamma \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta

    While training μ and σ² are those of the batch; running means of them serve predictions.

    Parameters
    ----------
    momentum : float in [0, 1), default=0.1
        Share of a new batch in the running means.
    epsilon : float in (0, inf), default=1e-5
        ε.
    scale : bool, default=True
        Whether γ is learnt; otherwise it is 1.

    References
    ----------
    Ioffe & Szegedy (2015), Batch normalization.

    Examples
    --------
    >>> BatchNorm().weight_shapes((16, 8, 8))
    {'scale': (16,), 'shift': (16,)}
    """

    momentum: float = 0.1
    epsilon: float = 1e-5
    scale: bool = True

    def __post_init__(self) -> None:
        require_share(self, "momentum", self.momentum)
        require_positive(self, "epsilon", self.epsilon)

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return ({"scale": shape[:1]} if self.scale else {}) | {"shift": shape[:1]}

    def start(self, shape: Shape, draw: np.random.Generator) -> dict[str, NDArray[np.float64]]:
        return {"scale": np.ones(shape[0]), "shift": np.zeros(shape[0])}

    def state_start(self, shape: Shape) -> dict[str, NDArray[np.float64]]:
        return {"mean": np.zeros(shape[0]), "variance": np.ones(shape[0])}

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        means, variances = course.state["mean"], course.state["variance"]
        if course.training:
            means, variances = self._moments(x, shape, course.state)
        asked: tuple[Any, ...] = (
            x, means, variances, float(self.epsilon), self._scales(weights), weights["shift"],
        )  # fmt: skip
        return np.asarray(_core.normalize_channels(*asked)), (x, means, variances, course.training)

    def _scales(self, weights: Weights) -> NDArray[Any]:
        return weights["scale"] if self.scale else np.ones_like(weights["shift"])

    def _moments(self, x: Rows, shape: Shape, state: Weights) -> tuple[Any, Any]:
        """Those of the batch, which the running ones take in."""
        count = x.size // shape[0]
        if count < 2:
            raise InvalidDataError(
                "BatchNorm: a batch of one value per channel has no variance; use larger batches."
            )
        asked: tuple[Any, ...] = (x, int(shape[0]))
        means, variances = map(np.asarray, _core.channel_moments(*asked))
        state["mean"][:] += self.momentum * (means - state["mean"])
        unbiased = variances * (count / (count - 1))
        state["variance"][:] += self.momentum * (unbiased - state["variance"])
        return means, variances

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        x, means, variances, training = kept
        asked: tuple[Any, ...] = (
            x, means, variances, float(self.epsilon), training, self._scales(weights), dy,
        )  # fmt: skip
        dx, by_scale, by_shift = _core.normalize_channels_back(*asked)
        return np.asarray(dx), {"scale": np.asarray(by_scale)[0], "shift": np.asarray(by_shift)[0]}


@dataclass(frozen=True)
class LayerNorm(Layer):
    r"""Every example brought to mean 0 and variance 1 over its own entries, then scaled, shifted.

    .. math:: y_j = \gamma_j \frac{x_j - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta_j

    μ and σ² are those of one example, so that training and predictions do the same and batches
    may be of any size. γ and β are one number for every feature, or for every channel of images.

    Parameters
    ----------
    epsilon : float in (0, inf), default=1e-5
        ε.

    References
    ----------
    Ba, Kiros & Hinton (2016), Layer normalization.

    Examples
    --------
    >>> weights = {"scale": np.ones(2), "shift": np.zeros(2)}
    >>> LayerNorm(1e-12).forward(np.array([[3.0, 5.0]]), (2,), weights, Course())[0].round(6)
    array([[-1.,  1.]])
    """

    epsilon: float = 1e-5

    def __post_init__(self) -> None:
        require_positive(self, "epsilon", self.epsilon)

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {"scale": shape[:1], "shift": shape[:1]}

    def start(self, shape: Shape, draw: np.random.Generator) -> dict[str, NDArray[np.float64]]:
        return {"scale": np.ones(shape[0]), "shift": np.zeros(shape[0])}

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        asked: tuple[Any, ...] = (x, float(self.epsilon), weights["scale"], weights["shift"])
        y, means, inverses = map(np.asarray, _core.normalize_rows(*asked))
        return y, (x, means, inverses)

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        back: Any = _core.normalize_rows_back
        dx, by_scale, by_shift = map(np.asarray, back(*kept, weights["scale"], dy))
        return dx, {"scale": by_scale[0], "shift": by_shift[0]}


@dataclass(frozen=True)
class LocalResponseNorm(Layer):
    r"""Channels held down where their neighbours are strong.

    .. math:: y_c = x_c \Bigl(k + \frac{\alpha}{n} \sum_{|j - c| \le n/2} x_j^2\Bigr)^{-\beta}

    Parameters
    ----------
    size : int in [1, inf), default=5
        n, channels that count; an odd number.
    alpha, beta, k : float in [0, inf), defaults 1e-4, 0.75 and 1.0

    References
    ----------
    Krizhevsky, Sutskever & Hinton (2012), ImageNet classification with deep convolutional neural
    networks (whose α is not divided by n).

    Examples
    --------
    >>> layer = LocalResponseNorm(1, alpha=3.0, beta=0.5, k=1.0)
    >>> layer.forward(np.array([[1.0]]), (1, 1, 1), {}, Course())[0]
    array([[0.5]])
    """

    size: int = 5
    alpha: float = 1e-4
    beta: float = 0.75
    k: float = 1.0

    def __post_init__(self) -> None:
        require_whole(self, "size", self.size)
        if self.size % 2 == 0:
            raise InvalidParameterError(
                f"LocalResponseNorm: size must be an odd number of channels, got {self.size}."
            )
        for name in ("alpha", "beta"):
            require_share(self, name, getattr(self, name), np.inf)
        require_positive(self, "k", self.k)

    def output_shape(self, shape: Shape) -> Shape:
        require_image(self, shape)
        return shape

    def _numbers(self) -> tuple[int, float, float, float]:
        return int(self.size), float(self.alpha), float(self.beta), float(self.k)

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        respond: Any = _core.response_norm
        y, base = map(np.asarray, respond(x, int(shape[0]), *self._numbers()))
        return y, (x, base)

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        back: Any = _core.response_norm_back
        return np.asarray(back(*kept, int(shape[0]), *self._numbers(), dy)), {}
