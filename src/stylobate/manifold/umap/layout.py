"""The layout of a graph: its rows move until neighbours are near and strangers are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core

_DRAWS = 16  # strangers of a row in an epoch; their push is weighted to that of the rate asked for
_MOMENTUM = 0.9  # of the first epochs
_REPORTS = 10  # lines of progress


@dataclass(frozen=True, slots=True)
class LayoutRequest:
    r"""What the parameters of an estimator say of the layout.

    The forces are those of the fuzzy cross-entropy with sampled repulsion,

    .. math::

        \sum_{ij} w_{ij} \Bigl(-\log q_{ij} - m\gamma\,\mathbb{E}_k \log(1 - q_{ik})\Bigr),
        \qquad q_{ij} = \frac{1}{1 + a\|y_i - y_j\|^{2b}}

    and all rows move at once, each by itself.

    Parameters
    ----------
    a, b : float
        Of the curve of memberships.
    learning_rate : float
        Size of steps, before they are divided by the stiffness of a row's ties.
    repulsion : float
        :math:`m\gamma`.
    epochs : int
        How often all rows move.
    seed : int
        Of the strangers.
    verbose : bool
        Whether to print progress.
    """

    a: float
    b: float
    learning_rate: float
    repulsion: float
    epochs: int
    seed: int
    verbose: bool = False

    def of_graph(self, graph: Any, start: Any) -> NDArray[np.float32]:
        """Positions of all vertices of a symmetric graph."""
        largest = float(graph.data.max()) if graph.nnz else 1.0
        # an edge is met from both of its ends, which pull twice and push once
        weights = (2.0 / largest) * graph.data
        return self._run(
            graph.indptr,
            graph.indices,
            weights,
            np.arange(graph.shape[0]),
            None,
            start,
            self.repulsion / 2.0,
        )

    def of_new_rows(
        self, rows: Any, memberships: Any, points: Any, start: Any
    ) -> NDArray[np.float32]:
        """Positions of new rows among points that stay.

        The random numbers of a row are those of its nearest point, so that its place does not
        depend on the rows that come with it.
        """
        n, k = rows.shape
        offsets = np.arange(0, n * k + 1, k)
        fixed = np.ascontiguousarray(points, dtype=np.float32)
        return self._run(
            offsets, rows.ravel(), memberships.ravel(), rows[:, 0], fixed, start, self.repulsion
        )

    def _run(
        self,
        offsets: Any,
        columns: Any,
        weights: Any,
        keys: Any,
        fixed: NDArray[np.float32] | None,
        start: Any,
        repulsion: float,
    ) -> NDArray[np.float32]:
        layout = _core.NeighbourLayout(
            np.ascontiguousarray(offsets, dtype=np.int64),
            np.ascontiguousarray(columns, dtype=np.int32),
            np.ascontiguousarray(weights, dtype=np.float32),
            np.ascontiguousarray(keys, dtype=np.uint64),
            fixed,
            a=self.a,
            b=self.b,
            learning_rate=self.learning_rate,
            momentum=_MOMENTUM,
            repulsion=repulsion,
            draws=_DRAWS,
            epochs=self.epochs,
            seed=self.seed,
        )
        positions = np.array(start, dtype=np.float32, order="C")
        steps = np.zeros_like(positions)
        for first, last in self._parts():
            layout.run(positions, steps, first, last)
            if self.verbose:
                print(f"UMAP: {last} of {self.epochs} epochs")
        return positions

    def _parts(self) -> list[tuple[int, int]]:
        """Epochs run together: all, or some between lines of progress."""
        parts = min(self.epochs, _REPORTS) if self.verbose else 1
        ends = [self.epochs * part // max(parts, 1) for part in range(parts + 1)]
        return list(zip(ends, ends[1:], strict=False))
