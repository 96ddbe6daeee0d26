"""The kernel that an estimator's parameters ask for, on checked rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.kernels.functions import as_kernel
from stylobate.kernels.kernel import Kernel
from stylobate.kernels.tiles import kernel_block, kernel_product
from stylobate.metrics.pairwise.dispatch import pairwise_kernels
from stylobate.parallel import product_of_rows

KERNEL_NAMES = ("linear", "poly", "rbf", "sigmoid", "cosine", "precomputed")
ALL_KERNEL_NAMES = (*KERNEL_NAMES, "polynomial", "laplacian", "chi2", "additive_chi2")
_PARAMETERS = {
    "linear": (),
    "cosine": (),
    "rbf": ("gamma",),
    "laplacian": ("gamma",),
    "poly": ("gamma", "degree", "coef0"),
    "polynomial": ("gamma", "degree", "coef0"),
    "sigmoid": ("gamma", "coef0"),
}


@dataclass(frozen=True, slots=True)
class KernelRequest:
    """A kernel by name, by value or by function, with the parameters of the named ones.

    Parameters
    ----------
    kernel : str, Kernel or callable
        "precomputed": rows are rows of the kernel matrix.
    gamma, degree, coef0 : float
        Of named kernels; a gamma of None is the kernel's own choice.
    params : dict or None
        Further arguments of a function of two rows.

    Examples
    --------
    >>> import numpy as np
    >>> request = KernelRequest("rbf", 1.0, 3.0, 1.0, None)
    >>> request.matrix(np.array([[0.0], [1.0]])).round(3)
    array([[1.   , 0.368],
           [0.368, 1.   ]])
    """

    kernel: Any
    gamma: float | None
    degree: float
    coef0: float
    params: dict[str, Any] | None

    @property
    def is_given(self) -> bool:
        """Whether rows are rows of the kernel matrix."""
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @property
    def value(self) -> Kernel | None:
        """The kernel as a value that tiles can compute; None if it has none."""
        if isinstance(self.kernel, Kernel):
            if self.params:
                raise InvalidParameterError(
                    f"{self.kernel!r} has its parameters; kernel_params cannot be given too."
                )
            return self.kernel
        if not isinstance(self.kernel, str) or self.kernel not in _PARAMETERS:
            return None
        named = {name: getattr(self, name) for name in _PARAMETERS[self.kernel]}
        if "degree" in named:
            if int(self.degree) != self.degree or self.degree < 1 or self.coef0 < 0:
                return None  # not positive semi-definite, so none of our values
            named["degree"] = int(self.degree)
        return as_kernel(self.kernel, **named)

    def matrix(self, X: Any, Y: Any = None) -> Array:
        """All values between the rows of X and of Y, in double precision."""
        if self.is_given:
            return np.asarray(X, dtype=np.float64)
        value = self.value
        if value is not None:
            return kernel_block(value, X, Y)
        named: dict[str, Any] = self.params or {}
        if isinstance(self.kernel, str):
            named = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
            if self.gamma is None:
                del named["gamma"]
        found = pairwise_kernels(X, Y, metric=self.kernel, filter_params=True, **named)
        return np.asarray(found, dtype=np.float64)

    def product(self, X: Any, Y: Any, V: Array) -> Array:
        """The matrix between X and Y times V; of kernels that tiles compute, without the matrix."""
        if self.is_given:
            return np.asarray(product_of_rows(X, V), dtype=np.float64)
        value = self.value
        if value is not None:
            return kernel_product(value, X, Y, V)
        return np.asarray(product_of_rows(self.matrix(X, Y), V))
