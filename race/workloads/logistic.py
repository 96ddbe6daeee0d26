"""Logistic regression of two classes with an ℓ2 penalty."""

from __future__ import annotations

from functools import partial

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _classes
from race.workloads._classes import Margins


def sklearn(data: Data, solver: str) -> Margins:
    return _classes.sklearn(data["X"], data["y"], solver)


def liblinear(data: Data, method: int) -> Margins:
    return _classes.liblinear(data["X"], data["y"], method)


def adelie(data: Data) -> Margins:
    """Half of its penalty is of the mean loss."""
    import adelie as ad

    x, y = np.asfortranarray(data["X"]), data["y"]
    path = np.array([1.0 / len(y)])
    state = ad.grpnet(
        x,
        ad.glm.binomial(y),
        alpha=0.0,
        lmda_path=path,
        n_threads=2,
        progress_bar=False,
        early_exit=False,
    )
    return Margins(state.betas.toarray(), np.atleast_1d(state.intercepts))


def scipy_by_hand(data: Data) -> Margins:
    """L-BFGS on NumPy's passes."""
    from scipy.optimize import minimize

    x, y = data["X"], data["y"]

    def value(theta: _classes.Matrix) -> tuple[float, _classes.Matrix]:
        z = x @ theta[:-1] + theta[-1]
        residual = 1.0 / (1.0 + np.exp(-z)) - y
        loss = float((np.logaddexp(0.0, z) - y * z).sum() + 0.5 * theta[:-1] @ theta[:-1])
        gradient = np.append(x.T @ residual + theta[:-1], residual.sum())
        return loss / len(y), gradient / len(y)

    found = minimize(value, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B").x
    return Margins(found[np.newaxis, :-1], found[-1:])


def quality(answer: Margins, data: Data) -> float:
    return _classes.objective(data["X"], data["y"], answer)


def work(size: Size) -> tuple[float, float]:
    """A weighted Gram and a gradient, and one pass over the rows."""
    rows, width = size["rows"], size["columns"] + 1
    return float(rows * width * (width + 4)), 8.0 * rows * width


WORKLOAD = Workload(
    name="logistic",
    title="logistic regression, C = 1",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "classes": 2},
        "standard": {"rows": 200_000, "columns": 100, "classes": 2},
        "large": {"rows": 1_000_000, "columns": 100, "classes": 2},
    },
    make=_classes.make_classes,
    contenders=(
        Contender("ours", "stylobate", lambda data: _classes.ours(data["X"], data["y"]), "ours"),
        *(
            Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s))
            for s in _classes.SOLVERS
        ),
        Contender("sklearnex", "sklearnex", lambda data: _classes.sklearnex(data["X"], data["y"])),
        Contender("liblinear primal", "liblinear", partial(liblinear, method=0)),
        Contender("liblinear dual", "liblinear", partial(liblinear, method=7)),
        Contender("snapml", "snapml", lambda data: _classes.snapml(data["X"], data["y"])),
        Contender("adelie", "adelie", adelie),
        Contender("scipy by hand", "scipy", scipy_by_hand, "reference"),
    ),
    quality=quality,
    tolerance=1e-5,  # most peers' default answers are no better
    floor=work,
    goals=(Faster("peers", 1.8),),
)
