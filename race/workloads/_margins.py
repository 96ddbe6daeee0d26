"""What the linear support vector workloads share: contenders, the objective and its proof."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Contender, Data
from race.workloads import _classes
from race.workloads._classes import Margins, margins_of

C = 1.0


def _signs(data: Data) -> Any:
    return np.where(data["y"] > 0, 1.0, -1.0)


def ours(data: Data, loss: str) -> Margins:
    from stylobate.svm import LinearSVC

    return margins_of(LinearSVC(loss=loss, C=C).fit(data["X"], data["y"]))


def sklearn(data: Data, loss: str, *, dual: Any = "auto", tol: float = 1e-4) -> Margins:
    from sklearn.svm import LinearSVC

    return margins_of(LinearSVC(loss=loss, C=C, dual=dual, tol=tol).fit(data["X"], data["y"]))


def sgd(data: Data, loss: str) -> Margins:
    """Stochastic gradients on the same objective; its intercept is not penalised."""
    from sklearn.linear_model import SGDClassifier

    alpha = 1.0 / (C * len(data["y"]))
    model = SGDClassifier(loss=loss, alpha=alpha, average=True, random_state=0)
    return margins_of(model.fit(data["X"], data["y"]))


def liblinear(data: Data, method: int) -> Margins:
    """LIBLINEAR's own package: 2 and 1 the squared hinge (primal, dual), 3 the hinge."""
    return _classes.liblinear(data["X"], data["y"], method)


def snapml(data: Data) -> Margins:
    """The hinge, with the intercept as one more penalised column."""
    from snapml import SupportVectorMachine

    model = SupportVectorMachine(
        fit_intercept=True, intercept_scaling=1.0, regularizer=1.0 / C, n_jobs=2
    ).fit(data["X"], _signs(data))
    return Margins(np.atleast_2d(np.ravel(model.coef_)), np.atleast_1d(model.intercept_).ravel())


def _losses(answer: Margins, data: Data, loss: str) -> tuple[Any, Any]:
    """Shortfalls 1 − ym, cut off at 0, and the dual point −ℓ′ of each row."""
    margins = data["X"] @ answer.coef[0] + answer.intercept[0]
    short = np.maximum(0.0, 1.0 - _signs(data) * margins)
    return (short, (short > 0) * 1.0) if loss == "hinge" else (short**2, 2.0 * short)


def objective(answer: Margins, data: Data, loss: str) -> float:
    """½‖w‖² + ½b² + C Σ ℓ, by the mean of the rows."""
    losses, _ = _losses(answer, data, loss)
    penalty = 0.5 * float((answer.coef**2).sum() + (answer.intercept**2).sum())
    return (penalty + C * float(losses.sum())) / len(data["y"])


def gap(answer: Margins, data: Data) -> str:
    """The relative gap of a squared hinge, from the primal and a dual point of the answer."""
    losses, slopes = _losses(answer, data, "squared_hinge")
    beta = C * slopes * _signs(data)
    v = np.append(data["X"].T @ beta, beta.sum())
    w = np.append(answer.coef[0], answer.intercept[0])
    primal = 0.5 * float(w @ w) + C * float(losses.sum())
    dual = float((C * slopes - C * slopes**2 / 4.0).sum()) - 0.5 * float(v @ v)
    return f"gap {(primal - dual) / primal:.1e}"


def peers(loss: str) -> tuple[Contender, ...]:
    """scikit-learn's, and stochastic gradients."""
    return (
        Contender("sklearn", "sklearn", lambda data: sklearn(data, loss)),
        Contender("sklearn SGD", "sklearn", lambda data: sgd(data, loss)),
    )
