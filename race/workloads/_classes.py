"""What the logistic workloads share: data, contenders and the objective."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from race.workload import Data, Size

Matrix = NDArray[np.float64]
# every solver scikit-learn offers for two classes with an ℓ2 penalty
SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")


class Margins(NamedTuple):
    """A fitted linear classifier: coefficients (k × p) and intercepts (k)."""

    coef: Matrix
    intercept: Matrix


def make_classes(size: Size, seed: int) -> Data:
    """Labels drawn from a softmax of Xw, with columns off zero."""
    generator = np.random.default_rng(seed)
    rows, columns, classes = size["rows"], size["columns"], size["classes"]
    x = generator.standard_normal((rows, columns))
    w = generator.standard_normal((columns, classes)) * (2.0 / np.sqrt(columns))
    y = (x @ w + generator.gumbel(size=(rows, classes))).argmax(axis=1)
    x += generator.uniform(-1.0, 1.0, columns)
    return {"X": x, "y": y.astype(np.float64)}


def margins_of(model: Any) -> Margins:
    """Read the solution off anything with scikit-learn's attributes."""
    return Margins(np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_).ravel())


def objective(x: Any, y: NDArray[Any], answer: Margins, strength: float = 1.0) -> float:
    """Mean of the loss and of ½·strength·‖w‖²."""
    z = np.asarray(x @ answer.coef.T) + answer.intercept
    if z.shape[1] == 1:
        z = np.column_stack([np.zeros(len(z)), z[:, 0]])
    top = z.max(axis=1)
    own = z[np.arange(len(z)), y.astype(np.int64)]
    loss = float((np.log(np.exp(z - top[:, np.newaxis]).sum(axis=1)) + top - own).sum())
    return (loss + 0.5 * strength * float((answer.coef**2).sum())) / len(y)


def sklearn(x: Any, y: NDArray[Any], solver: str) -> Margins:
    from sklearn.linear_model import LogisticRegression

    return margins_of(LogisticRegression(solver=solver).fit(x, y))


def sklearnex(x: Any, y: NDArray[Any]) -> Margins:
    from sklearnex.linear_model import LogisticRegression

    return margins_of(LogisticRegression().fit(x, y))


def liblinear(x: Any, y: NDArray[Any], method: int) -> Margins:
    """LIBLINEAR's own package: 0 is the primal (trust region Newton), 7 the dual."""
    from liblinear.liblinearutil import parameter, problem, train

    model = train(problem(np.where(y > 0, 1.0, -1.0), x), parameter(f"-s {method} -c 1 -B 1 -q"))
    w = np.array(model.w[: x.shape[1] + 1])
    w = w if model.get_labels()[0] == 1 else -w
    return Margins(w[np.newaxis, :-1], w[-1:])


def snapml(x: Any, y: NDArray[Any]) -> Margins:
    from snapml import LogisticRegression

    model = LogisticRegression(fit_intercept=True, n_jobs=2).fit(x, y)
    return Margins(np.atleast_2d(np.ravel(model.coef_)), np.atleast_1d(model.intercept_).ravel())


def ours(x: Any, y: NDArray[Any]) -> Margins:
    from stylobate.linear_model import LogisticRegression

    return margins_of(LogisticRegression().fit(x, y))
