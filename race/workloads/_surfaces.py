"""What the workloads on surfaces share: a Swiss roll, and how well it is unrolled."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data, Size


def swiss_roll(size: Size, seed: int) -> Data:
    """Rows on a rolled-up sheet, and where on it: the length along the roll, the height."""
    generator = np.random.default_rng(seed)
    angle = 1.5 * np.pi * (1.0 + 2.0 * generator.uniform(size=size["rows"]))
    height = 21.0 * generator.uniform(size=size["rows"])
    length = 0.5 * (angle * np.sqrt(1.0 + angle**2) + np.arcsinh(angle))
    x = np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)])
    return {"X": x, "sheet": np.column_stack([length, height])}


def left_unexplained(embedding: Any, data: Data) -> float:
    """1 plus the share of the sheet's coordinates that no linear map of the embedding gives."""
    found = np.asarray(embedding, dtype=np.float64)
    if found.shape != data["sheet"].shape or not np.isfinite(found).all():
        return float("inf")
    sheet = data["sheet"] - data["sheet"].mean(axis=0)
    sheet /= sheet.std(axis=0)
    design = np.linalg.qr(np.column_stack([np.ones(len(found)), found]))[0]
    left = sheet - design @ (design.T @ sheet)
    return 1.0 + float((left**2).sum() / (sheet**2).sum())
