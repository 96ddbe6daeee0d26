"""First weights of layers."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

INITIALIZATIONS = ("glorot", "glorot_normal", "he", "he_uniform", "lecun", "zeros")


def initial_weights(
    name: str, shape: tuple[int, ...], inputs: int, outputs: int, draw: np.random.Generator
) -> Array:
    r"""Weights whose variance keeps signals of one size through the layers.

    Parameters
    ----------
    name : {"glorot", "glorot_normal", "he", "he_uniform", "lecun", "zeros"}
        Uniform or normal of variance 2 / (inputs + outputs); normal or uniform of variance
        2 / inputs, for ReLU; normal of variance 1 / inputs, N(0, 1/D), for SELU; nothing.
    shape : tuple of int
    inputs, outputs : int
        Connections of one unit to those before and behind it.
    draw : numpy Generator

    References
    ----------
    Glorot & Bengio (2010); He et al. (2015), Delving deep into rectifiers; LeCun et al. (1998).

    Examples
    --------
    >>> initial_weights("zeros", (2,), 2, 1, np.random.default_rng(0))
    array([0., 0.])
    """
    if name == "zeros":
        return np.zeros(shape)
    of_both = name.startswith("glorot")
    variance = 2.0 / (inputs + outputs) if of_both else (1.0 if name == "lecun" else 2.0) / inputs
    if name in ("glorot", "he_uniform"):
        bound = (3.0 * variance) ** 0.5
        return draw.uniform(-bound, bound, shape)
    return draw.normal(0.0, variance**0.5, shape)


def require_initialization(owner: str, name: str) -> None:
    """Refuse a name there is no initialisation of."""
    if name not in INITIALIZATIONS:
        raise InvalidParameterError(
            f"{owner}: initialization must be one of {', '.join(INITIALIZATIONS)}, got {name!r}."
        )
