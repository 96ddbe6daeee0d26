"""Rows back from the scores of a kernel: kernel ridge regression of rows on scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import NumericalError
from stylobate.interrupts import interruptible


def preimage_coefficients(gram: Any, rows: Any, alpha: float) -> Any:
    r"""The dual coefficients :math:`(K + αI)^{-1} X`; the kernel `gram` of the scores is used up.

    References
    ----------
    Bakır, Weston & Schölkopf (2004), Learning to find pre-images, NIPS 16.
    """
    from scipy import linalg

    gram.flat[:: len(gram) + 1] += alpha
    try:
        return interruptible(linalg.solve, gram, rows, assume_a="pos", overwrite_a=True)
    except np.linalg.LinAlgError:
        raise NumericalError(
            "KernelPCA: the kernel of the scores is singular, so pre-images are not "
            f"determined with alpha={alpha}; a larger alpha makes them so."
        ) from None
