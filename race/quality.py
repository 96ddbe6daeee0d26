"""Quality before speed: which times count."""

from __future__ import annotations

import math

from race.results import Bout


def judge(bout: Bout) -> None:
    """Mark the entries whose answer is as good as the best one.

    With best quality q*, an entry counts if its quality q ≤ q* + tolerance · |q*|; its excess
    (q - q*) / |q*| is recorded. An answer that is not finite never counts.
    """
    known = [
        e.quality
        for e in bout.entries
        if e.status == "ok" and e.quality is not None and math.isfinite(e.quality)
    ]
    best = min(known, default=None)
    for entry in bout.entries:
        entry.counts, entry.excess = False, None
        if best is None or entry.quality is None or entry.status != "ok":
            continue
        gap = entry.quality - best
        entry.excess = gap / abs(best) if best and gap else gap
        entry.counts = gap <= bout.tolerance * abs(best)
