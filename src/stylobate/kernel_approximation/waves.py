"""Random cosines: what the Fourier maps share."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Tags, TransformerMixin
from stylobate.base.batches import FitsFirstBatch
from stylobate.data import Table
from stylobate.parallel import product_of_rows

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class RandomWaves(TransformerMixin, FitsFirstBatch):
    r""":math:`z_k(x) = \sqrt{2/m}\,\cos(w_k^T x + b_k)` with random w and b (Bochner's theorem)."""

    random_weights_: Array
    random_offset_: Array
    n_components: int

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=("float64", "float32"))

    def _keep_waves(self, weights: Array, random: np.random.RandomState, table: Table) -> None:
        kind = table.x.dtype
        self.random_weights_ = weights.astype(kind, copy=False)
        offset = random.uniform(0, 2 * pi, size=self.n_components)
        self.random_offset_ = offset.astype(kind, copy=False)
        self._n_features_out = self.n_components

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.maps import waves

        return waves(columns, self.random_weights_, self.random_offset_)

    def _waves(self, x: Any) -> Array:
        out = np.asarray(product_of_rows(x, self.random_weights_))
        out += self.random_offset_
        np.cos(out, out)
        out *= (2.0 / self.n_components) ** 0.5
        return out
