"""Data and measures shared by the workloads about clusters of dense rows."""

from __future__ import annotations

import numpy as np

from race.workload import Data, Size


def make_blobs(size: Size, seed: int) -> Data:
    """Normal clusters of different widths, and a tenth of the rows anywhere."""
    generator = np.random.default_rng(seed)
    rows, columns, clusters = size["rows"], size["columns"], size["clusters"]
    centres = generator.uniform(-10.0, 10.0, (clusters, columns))
    widths = generator.uniform(0.2, 0.8, clusters)
    of = generator.integers(clusters, size=rows)
    points = centres[of] + widths[of, None] * generator.standard_normal((rows, columns))
    anywhere = generator.random(rows) < 0.1
    points[anywhere] = generator.uniform(-12.0, 12.0, (int(anywhere.sum()), columns))
    return {"rows": points, "truth": np.where(anywhere, -1.0, of)}
