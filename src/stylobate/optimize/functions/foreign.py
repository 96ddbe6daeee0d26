"""Functions written for torch or JAX, which know their own derivatives."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from stylobate.arrays import Array

Functions = tuple[Callable[[Array], Any], Callable[[Array], Any], Callable[[Array], Any]]


def foreign(function: Callable[[Any], Any], x: Array) -> Functions | None:
    """Value, gradient and Hessian of a torch or JAX function; None if it is neither.

    A function counts as torch's or JAX's if that package is loaded already and what the function
    returns for one of its arrays is one of its arrays.
    """
    if "torch" in sys.modules:
        found = _torch(function, x)
        if found is not None:
            return found
    if "jax" in sys.modules:
        return _jax(function, x)
    return None


def _torch(function: Callable[[Any], Any], x: Array) -> Functions | None:
    import torch

    def tensor(point: Array, *, grad: bool = False) -> Any:
        return torch.tensor(point, dtype=torch.float64, requires_grad=grad)

    try:
        result = function(tensor(x))
    except Exception:  # not made for tensors
        return None
    if not isinstance(result, torch.Tensor):
        return None

    def gradient(point: Array) -> Any:
        at = tensor(point, grad=True)
        (slope,) = torch.autograd.grad(function(at).reshape(()), at)
        return slope.numpy()

    def hessian(point: Array) -> Any:
        whole = torch.autograd.functional.hessian(lambda w: function(w).reshape(()), tensor(point))
        return whole.numpy()

    return (lambda point: float(function(tensor(point)).detach())), gradient, hessian


def _jax(function: Callable[[Any], Any], x: Array) -> Functions | None:
    import jax

    older = None if hasattr(jax, "enable_x64") else import_module("jax.experimental")
    doubles: Any = (older or jax).enable_x64  # single precision is JAX's default

    def in_doubles(of: Callable[[Any], Any]) -> Callable[[Array], Any]:
        def call(point: Array) -> Any:
            with doubles(True):
                return np.asarray(of(jax.numpy.asarray(point)), dtype=np.float64)

        return call

    try:
        with doubles(True):
            result = function(jax.numpy.asarray(x))
    except Exception:  # not made for JAX
        return None
    if not isinstance(result, jax.Array):
        return None
    return in_doubles(function), in_doubles(jax.grad(function)), in_doubles(jax.hessian(function))
