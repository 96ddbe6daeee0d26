"""A network for the Adult table, against boosting and another network: log-loss, and time."""

from __future__ import annotations

from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._tables import make_adult, parts, quality


def ours(data: Data) -> Any:
    """Our network with its defaults, on the frame as it is."""
    from stylobate.neural_network import TabularNetClassifier

    x, y, held, _ = parts(data)
    return TabularNetClassifier(random_state=0).fit(x, y).predict_proba(held)


def boosting(data: Data) -> Any:
    """Our boosting with its defaults."""
    from stylobate.ensemble import HistGradientBoostingClassifier

    x, y, held, _ = parts(data)
    return HistGradientBoostingClassifier(random_state=0).fit(x, y).predict_proba(held)


def lightgbm(data: Data) -> Any:
    """LightGBM with its defaults."""
    from lightgbm import LGBMClassifier

    x, y, held, _ = parts(data)
    words = x.select_dtypes(exclude="number").columns
    x, held = (each.astype(dict.fromkeys(words, "category")) for each in (x, held))
    return LGBMClassifier(verbose=-1, random_state=0).fit(x, y).predict_proba(held)


def realmlp(data: Data) -> Any:
    """RealMLP of pytabkit with its defaults."""
    from pytabkit import RealMLP_TD_Classifier

    x, y, held, _ = parts(data)
    words = x.select_dtypes(exclude="number").columns
    x, held = (each.fillna(dict.fromkeys(words, "?")) for each in (x, held))
    x, held = (each.astype(dict.fromkeys(words, "category")) for each in (x, held))
    return RealMLP_TD_Classifier(device="cpu", random_state=0).fit(x, y).predict_proba(held)


def floor(size: Size) -> tuple[float, float]:
    """Ten epochs of the second hidden layer of eight members: three products."""
    rows = 0.75 * 10.0 * float(size["rows"])
    return 6.0 * rows * 8 * 128 * 128, 4.0 * rows * 14


WORKLOAD = Workload(
    name="tabular_net",
    title="Adult, a network with its defaults; the log-loss of held-out rows",
    sizes={"small": {"rows": 4_000}, "standard": {"rows": 48_842}},
    make=make_adult,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("our boosting", "stylobate", boosting, "reference"),
        Contender("lightgbm", "lightgbm", lightgbm, "reference"),
        Contender("realmlp", "pytabkit", realmlp),
    ),
    quality=quality,
    tolerance=0.15,  # of the log-loss: other models
    floor=floor,
    goals=(Faster("pytabkit", 5.0),),
)
