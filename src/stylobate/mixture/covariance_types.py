"""The four shapes of a mixture's covariances: what each estimates, stores and counts."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.interrupts import interruptible
from stylobate.parallel import one_blas_thread
from stylobate.statistics import MixtureSums

COLLAPSED = (
    "Fitting the mixture model failed because some components have ill-defined empirical "
    "covariance (for instance caused by singleton or collapsed samples). Try to decrease the "
    "number of components, increase reg_covar, or scale the input data."
)


class CovarianceType(ABC):
    """A shape of covariances, as scikit-learn stores them.

    Precisions are held as factors U with Λ = U Uᵀ, upper triangular or the roots of a diagonal.
    """

    name: str
    diagonal = False  # whether sums of squares of single columns are enough

    @abstractmethod
    def covariances(self, sums: MixtureSums, counts: Array, means: Array, reg: float) -> Array:
        """The covariances that maximise the likelihood, with `reg` added to their diagonals."""

    @abstractmethod
    def shape(self, k: int, p: int) -> tuple[int, ...]:
        """Shape of the covariances of k components and p columns."""

    @abstractmethod
    def factors(self, cholesky: Array, k: int, p: int) -> Array:
        """Of every component, F with Λ = FᵀF: lower triangular matrices or diagonals."""

    @abstractmethod
    def log_det(self, cholesky: Array, p: int) -> Array:
        """Logarithms of the determinants of the precisions' factors (k,)."""

    @abstractmethod
    def count(self, k: int, p: int) -> int:
        """How many free parameters the covariances have."""

    def each(self, covariances: Array, k: int) -> Array:
        """One covariance for every component."""
        return covariances

    def cholesky(self, covariances: Array) -> Array:
        """Factors of the precisions; refuses covariances that are not positive definite."""
        if not (covariances > 0.0).all():
            raise InvalidDataError(COLLAPSED)
        return np.asarray(1.0 / np.sqrt(covariances))

    def precisions(self, cholesky: Array) -> Array:
        """Λ of its factors."""
        return np.asarray(cholesky**2)

    def cholesky_of_precisions(self, precisions: Array) -> Array:
        """Factors of precisions that were given."""
        return np.asarray(np.sqrt(precisions))

    def inverse(self, precisions: Array) -> Array:
        """Covariances of precisions."""
        return np.asarray(1.0 / precisions)

    def check_positive(self, matrices: Array) -> None:
        """Refuse precisions (or a prior covariance) that are not positive definite."""
        if not (matrices > 0.0).all():
            raise InvalidParameterError(f"'{self.name} precision' should be positive")


class Diagonal(CovarianceType):
    """A variance for every component and column."""

    name = "diag"
    diagonal = True

    def covariances(self, sums: MixtureSums, counts: Array, means: Array, reg: float) -> Array:
        return np.asarray(sums.scatter(means) / counts[:, None] + reg)

    def shape(self, k: int, p: int) -> tuple[int, ...]:
        return (k, p)

    def factors(self, cholesky: Array, k: int, p: int) -> Array:
        return cholesky

    def log_det(self, cholesky: Array, p: int) -> Array:
        return np.asarray(np.log(cholesky).sum(axis=1))

    def count(self, k: int, p: int) -> int:
        return k * p


class Spherical(CovarianceType):
    """A variance for every component."""

    name = "spherical"
    diagonal = True

    def covariances(self, sums: MixtureSums, counts: Array, means: Array, reg: float) -> Array:
        return np.asarray((sums.scatter(means) / counts[:, None]).mean(axis=1) + reg)

    def shape(self, k: int, p: int) -> tuple[int, ...]:
        return (k,)

    def factors(self, cholesky: Array, k: int, p: int) -> Array:
        return np.repeat(cholesky[:, None], p, axis=1)

    def log_det(self, cholesky: Array, p: int) -> Array:
        return np.asarray(p * np.log(cholesky))

    def count(self, k: int, p: int) -> int:
        return k


class Full(CovarianceType):
    """A matrix for every component."""

    name = "full"

    def covariances(self, sums: MixtureSums, counts: Array, means: Array, reg: float) -> Array:
        found = sums.scatter(means) / counts[:, None, None]
        found[:, np.arange(means.shape[1]), np.arange(means.shape[1])] += reg
        return np.asarray(found)

    def shape(self, k: int, p: int) -> tuple[int, ...]:
        return (k, p, p)

    def factors(self, cholesky: Array, k: int, p: int) -> Array:
        return np.asarray(cholesky.transpose(0, 2, 1))

    def log_det(self, cholesky: Array, p: int) -> Array:
        return np.asarray(np.log(np.diagonal(cholesky, axis1=-2, axis2=-1)).sum(axis=-1))

    def count(self, k: int, p: int) -> int:
        return k * p * (p + 1) // 2

    def cholesky(self, covariances: Array) -> Array:
        from scipy.linalg.lapack import dtrtri

        p = covariances.shape[-1]
        with one_blas_thread():
            try:
                lower = interruptible(np.linalg.cholesky, covariances).reshape(-1, p, p)
            except np.linalg.LinAlgError as problem:
                raise InvalidDataError(COLLAPSED) from problem
            inverses = [dtrtri(each, lower=1)[0].T for each in lower]
        return np.array(inverses).reshape(covariances.shape)

    def precisions(self, cholesky: Array) -> Array:
        with one_blas_thread():
            return np.asarray(cholesky @ np.swapaxes(cholesky, -1, -2))

    def cholesky_of_precisions(self, precisions: Array) -> Array:
        # With J the reversal of columns, JΛJ = LLᵀ gives Λ = UUᵀ for U = JLJ.
        turned = precisions[..., ::-1, ::-1]
        return np.ascontiguousarray(interruptible(np.linalg.cholesky, turned)[..., ::-1, ::-1])

    def inverse(self, precisions: Array) -> Array:
        return np.asarray(interruptible(np.linalg.inv, precisions))

    def check_positive(self, matrices: Array) -> None:
        symmetric = np.allclose(matrices, np.swapaxes(matrices, -1, -2))
        if not (symmetric and (interruptible(np.linalg.eigvalsh, matrices) > 0.0).all()):
            raise InvalidParameterError(
                f"'{self.name} precision' should be symmetric, positive-definite"
            )


class Tied(Full):
    """One matrix for all components."""

    name = "tied"

    def covariances(self, sums: MixtureSums, counts: Array, means: Array, reg: float) -> Array:
        found = sums.scatter(means).sum(axis=0) / counts.sum()
        found.flat[:: len(found) + 1] += reg
        return np.asarray(found)

    def shape(self, k: int, p: int) -> tuple[int, ...]:
        return (p, p)

    def factors(self, cholesky: Array, k: int, p: int) -> Array:
        return np.repeat(cholesky.T[None], k, axis=0)

    def each(self, covariances: Array, k: int) -> Array:
        return np.repeat(covariances[None], k, axis=0)

    def count(self, k: int, p: int) -> int:
        return p * (p + 1) // 2


TYPES: dict[str, CovarianceType] = {
    each.name: each for each in (Full(), Tied(), Diagonal(), Spherical())
}
