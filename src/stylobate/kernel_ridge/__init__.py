"""Ridge regression in the space of a kernel's features."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.kernel_ridge.certificate import KernelRidgeCertificate
    from stylobate.kernel_ridge.kernel_ridge import KernelRidge
    from stylobate.kernel_ridge.kernel_ridge_cv import KernelRidgeCV

__all__ = ["KernelRidge", "KernelRidgeCV", "KernelRidgeCertificate"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "KernelRidge": "kernel_ridge",
        "KernelRidgeCV": "kernel_ridge_cv",
        "KernelRidgeCertificate": "certificate",
    },
)
