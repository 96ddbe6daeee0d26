"""Logistic regression with an ℓ1 penalty: two classes, many weak columns."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of, split_constant, with_constant

C = 0.05
TOL = 1e-6


def make(size: Size, seed: int) -> Data:
    """Fifty true coefficients among normal columns; at this C most columns get one."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows, columns))
    w = np.zeros(columns)
    true = min(50, columns)
    w[:true] = 3.0 / np.sqrt(true) * generator.standard_normal(true)
    chance = 1.0 / (1.0 + np.exp(0.5 - x @ w))
    return {"X": x, "y": (generator.random(rows) < chance).astype(np.float64)}


def ours(data: Data) -> Line:
    from stylobate.optimize.logistic import solve_elastic_net

    answer = solve_elastic_net(
        data["X"],
        data["y"].astype(np.int64),
        2,
        None,
        l1=1.0 / C,
        l2=0.0,
        fit_intercept=True,
        tol=TOL,
        max_iter=100,
    )
    return Line(answer.coef[0], float(answer.intercept[0]))


def adelie(data: Data, points: int, threads: int) -> Line:
    """A path of penalties down to the one asked for."""
    import adelie as ad

    x, y = np.asfortranarray(data["X"]), data["y"]
    rows = len(y)
    largest = float(np.abs(x.T @ (y - y.mean())).max()) / rows
    path = np.geomspace(largest, 1.0 / (C * rows), points)
    state = ad.grpnet(
        x, ad.glm.binomial(y), lmda_path=path, n_threads=threads, adev_tol=1.0, early_exit=False,
        progress_bar=False,
    )  # fmt: skip
    return Line(np.asarray(state.betas[-1].todense()).ravel(), float(state.intercepts[-1]))


def celer(data: Data) -> Line:
    """Has no intercept: its column of ones is penalised too, which the objective shows."""
    from celer import LogisticRegression

    model = LogisticRegression(C=C, tol=TOL).fit(with_constant(data["X"]), data["y"])
    return split_constant(model.coef_)


def skglm(data: Data) -> Line:
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Logistic
    from skglm.penalties import L1
    from skglm.solvers import ProxNewton

    x, y = data["X"], np.where(data["y"] > 0, 1.0, -1.0)
    penalty = L1(1.0 / (C * len(y)))
    solver = ProxNewton(tol=1e-7, fit_intercept=True)
    return line_of(GeneralizedLinearEstimator(Logistic(), penalty, solver).fit(x, y))


def sklearn_saga(data: Data) -> Line:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=C, l1_ratio=1.0, solver="saga", tol=1e-5, max_iter=2000)
    return line_of(model.fit(data["X"], data["y"]))


def sklearn_liblinear(data: Data) -> Line:
    """Penalises the intercept; a large constant column makes that nearly free."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        C=C, l1_ratio=1.0, solver="liblinear", tol=1e-6, max_iter=2000, intercept_scaling=1e3
    )
    return line_of(model.fit(data["X"], data["y"]))


def liblinear(data: Data) -> Line:
    from liblinear import liblinearutil

    x: Any = with_constant(data["X"])
    x[:, -1] = 1e3
    model = liblinearutil.train(data["y"], x, f"-s 6 -c {C} -e 1e-6 -q")
    w, _ = model.get_decfun()
    coef = np.array(w) * (1.0 if model.get_labels()[0] == 1 else -1.0)
    return Line(coef[:-1], 1e3 * float(coef[-1]))


def snapml(data: Data) -> Line:
    from snapml import LogisticRegression

    model = LogisticRegression(
        regularizer=1.0 / C, penalty="l1", dual=False, fit_intercept=True, tol=1e-6, n_jobs=2,
        max_iter=5000,
    )  # fmt: skip
    model.fit(data["X"], data["y"])
    return line_of(model)


def quality(line: Line, data: Data) -> float:
    """Σ log(1 + e^z) − yz + ‖w‖₁/C."""
    z: NDArray[np.float64] = data["X"] @ line.coef + line.intercept
    loss = np.logaddexp(0.0, z).sum() - data["y"] @ z
    return float(loss + np.abs(line.coef).sum() / C)


def floor(size: Size) -> tuple[float, float]:
    """A Hessian of two columns in three, and four passes over the rows."""
    rows, columns = size["rows"], size["columns"]
    return rows * (2.0 * columns / 3.0) ** 2, 4 * 8.0 * rows * columns


WORKLOAD = Workload(
    name="logistic_l1",
    title=f"logistic regression, ℓ1 penalty, C = {C:g}",
    sizes={
        "small": {"rows": 1_000, "columns": 50},
        "standard": {"rows": 20_000, "columns": 1_000},
        "large": {"rows": 100_000, "columns": 1_000},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("adelie, 30 points", "adelie", partial(adelie, points=30, threads=2)),
        Contender("adelie, one thread", "adelie", partial(adelie, points=30, threads=1)),
        Contender("adelie, 5 points", "adelie", partial(adelie, points=5, threads=1)),
        Contender("celer", "celer", celer),
        Contender("skglm", "skglm", skglm),
        Contender("sklearn saga", "sklearn", sklearn_saga),
        Contender("sklearn liblinear", "sklearn", sklearn_liblinear),
        Contender("liblinear", "liblinear-official", liblinear),
        Contender("snapml", "snapml", snapml),
    ),
    quality=quality,
    floor=floor,
    goals=(Faster("peers", 3.0),),
)
