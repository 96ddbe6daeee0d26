"""Isotonic regression: the nearest increasing (or decreasing) function."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.isotonic.direction import check_increasing
    from stylobate.isotonic.least_squares import isotonic_regression
    from stylobate.isotonic.regression import IsotonicRegression

__all__ = ["IsotonicRegression", "check_increasing", "isotonic_regression"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "IsotonicRegression": "regression",
        "check_increasing": "direction",
        "isotonic_regression": "least_squares",
    },
)
