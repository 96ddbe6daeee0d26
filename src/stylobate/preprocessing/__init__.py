"""Columns from columns: polynomial, spline and radial bases."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.preprocessing.polynomial import PolynomialFeatures
    from stylobate.preprocessing.radial import RBFFeatures
    from stylobate.preprocessing.spline import SplineTransformer

__all__ = ["PolynomialFeatures", "RBFFeatures", "SplineTransformer"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "PolynomialFeatures": "polynomial",
        "RBFFeatures": "radial",
        "SplineTransformer": "spline",
    },
)
