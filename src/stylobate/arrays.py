"""Types of arrays, each named once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]
Indices = NDArray[np.intp]  # numbers of rows, columns or classes
