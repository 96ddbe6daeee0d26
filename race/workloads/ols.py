"""Ordinary least squares with an intercept."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._linear import (
    Line,
    line_of,
    make_regression,
    moments_work,
    normal_equations,
    objective,
    split_constant,
    with_constant,
)


def ours(data: Data) -> Line:
    from stylobate.linear_model import LinearRegression

    return line_of(LinearRegression().fit(data["X"], data["y"]))


def sklearn(data: Data) -> Line:
    from sklearn.linear_model import LinearRegression

    return line_of(LinearRegression().fit(data["X"], data["y"]))


def sklearnex(data: Data) -> Line:
    from sklearnex.linear_model import LinearRegression

    return line_of(LinearRegression().fit(data["X"], data["y"]))


def numpy_lstsq(data: Data) -> Line:
    return split_constant(np.linalg.lstsq(with_constant(data["X"]), data["y"])[0])


def scipy_lstsq(data: Data, driver: Any) -> Line:
    from scipy.linalg import lstsq

    return split_constant(lstsq(with_constant(data["X"]), data["y"], lapack_driver=driver)[0])


def statsmodels(data: Data, method: str) -> Line:
    from statsmodels.api import OLS, add_constant

    design = add_constant(data["X"], prepend=False)
    return split_constant(OLS(data["y"], design).fit(method=method).params)


def torch_lstsq(data: Data, driver: str) -> Line:
    import torch

    x = torch.from_numpy(with_constant(data["X"]))
    y = torch.from_numpy(data["y"])[:, None]
    return split_constant(torch.linalg.lstsq(x, y, driver=driver).solution.numpy())


WORKLOAD = Workload(
    name="ols",
    title="least squares with an intercept",
    sizes={
        "small": {"rows": 1_000, "columns": 10},
        "standard": {"rows": 1_000_000, "columns": 50},
        "large": {"rows": 2_000_000, "columns": 100},
    },
    make=make_regression,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("sklearnex", "sklearnex", sklearnex),
        Contender("numpy lstsq", "numpy", numpy_lstsq),
        Contender("scipy lstsq gelsy", "scipy", partial(scipy_lstsq, driver="gelsy")),
        Contender("scipy lstsq gelsd", "scipy", partial(scipy_lstsq, driver="gelsd")),
        Contender("statsmodels pinv", "statsmodels", partial(statsmodels, method="pinv")),
        Contender("statsmodels qr", "statsmodels", partial(statsmodels, method="qr")),
        Contender("torch lstsq gels", "torch", partial(torch_lstsq, driver="gels")),
        Contender("torch lstsq gelsy", "torch", partial(torch_lstsq, driver="gelsy")),
        Contender("numpy by hand", "numpy", normal_equations, "reference"),
    ),
    quality=objective,
    floor=moments_work,
    goals=(Faster("peers", 2.5), Faster("sklearn", 60)),
)
