"""Features whose inner products are near a kernel, under scikit-learn's names."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.kernel_approximation.chi2 import AdditiveChi2Sampler, SkewedChi2Sampler
    from stylobate.kernel_approximation.fourier import RBFSampler
    from stylobate.kernel_approximation.nystroem import Nystroem
    from stylobate.kernel_approximation.sketch import PolynomialCountSketch

__all__ = [
    "AdditiveChi2Sampler",
    "Nystroem",
    "PolynomialCountSketch",
    "RBFSampler",
    "SkewedChi2Sampler",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "AdditiveChi2Sampler": "chi2",
        "Nystroem": "nystroem",
        "PolynomialCountSketch": "sketch",
        "RBFSampler": "fourier",
        "SkewedChi2Sampler": "chi2",
    },
)
