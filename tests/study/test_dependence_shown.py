"""How a report shows what a model makes of many categories and of dates."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from stylobate import Study
from stylobate.study.page.model import model


def test_the_commonest_categories_and_dates_are_shown():
    rng = np.random.default_rng(0)
    n = 1200
    city = rng.choice(25, n, p=np.arange(1, 26) / 325)  # the last in the alphabet is the commonest
    rows = pd.DataFrame(
        {
            "city": [f"town {chr(97 + k)}" for k in city],
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "size": rng.normal(size=n).round(2),
        }
    )
    since = (rows["day"] - rows["day"].min()).dt.days
    rows["price"] = (city % 5) * 2.0 + since / 200 + rows["size"] + rng.normal(0, 0.3, n)
    result = Study(rows, "price", models=["ridge"], time=10, cv=3).run()
    drawn = {each.feature: each for each in result.explanation.dependence}
    assert {"city", "size"} <= set(drawn)
    days = drawn["day"]
    assert days.grid[0].startswith("2020-01")
    assert days.mean[-1] > days.mean[0] + 3.0
    shown = drawn["city"]
    assert shown.grid[0] in {"town y", "town x", "town w", "town v"}
    page = str(model(result))
    assert "town y" in page
    assert f"The 16 commonest; {len(shown.grid) - 16} more are not shown." in page
    assert days.grid[-1] in page
    assert len(re.findall(r"<th[^>]*>(?:<[^>]+>)*town", page)) == 16
