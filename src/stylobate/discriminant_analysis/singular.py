"""Covariance matrices that cannot be inverted: refused with what would be right."""

from __future__ import annotations

import numpy as np

from stylobate.exceptions import NumericalError


class SingularCovarianceError(NumericalError, np.linalg.LinAlgError):
    """A covariance matrix is not of full rank; the text says of which class, and what would help.

    >>> issubclass(SingularCovarianceError, ValueError)
    True
    """
