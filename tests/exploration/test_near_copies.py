"""A target copied with a few mistakes is named."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stylobate import explore


def test_a_copy_with_a_few_rows_changed_is_a_suspect():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 600)
    wrong = random.choice(600, 6, replace=False)
    copy = y.copy()
    copy[wrong] = 1 - copy[wrong]
    noisy = np.where(random.random(600) < 0.2, 1 - y, y)  # a good feature, no copy
    words = np.array(["no", "yes"])
    frame = pd.DataFrame({"y": y, "alive": words[copy], "hint": words[noisy]})
    said = str(explore(frame, target="y"))
    assert "'alive' may give the target away: it is the target but for a few rows" in said
    assert "'hint' may give" not in said
