"""Kernel machines: data, answers, and the gaps that prove an answer."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from race.workload import Data, Size

C = 1.0
EPSILON = 0.1  # half the width of a regression's tube
NU = 0.1  # of one class
BLOCK = 1000  # rows of the kernel a check looks at


class Machine(NamedTuple):
    """The signed weights of the support vectors, and the offset of the decision."""

    support: Any
    weights: Any
    offset: float


def make(size: Size, seed: int) -> Data:
    """Clusters of two classes that overlap, one label in twenty wrong."""
    generator = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    centres = generator.standard_normal((8, p))
    which = generator.integers(0, 8, n)
    x = centres[which] + 1.5 * generator.standard_normal((n, p))
    y = np.where((which % 2 == 0) ^ (generator.random(n) < 0.05), 1.0, -1.0)
    return {"X": (x - x.mean(axis=0)) / x.std(axis=0), "y": y}


def fitted(data: Data, package: str, tol: float) -> Machine:
    """A package's SVC with a Gaussian kernel."""
    kind = import_module(f"{package}.svm").SVC
    gamma = 1.0 / data["X"].shape[1]
    model = kind(C=C, kernel="rbf", gamma=gamma, tol=tol).fit(data["X"], data["y"])
    return Machine(model.support_, np.ravel(model.dual_coef_), float(model.intercept_[0]))


def regression_rows(size: Size, seed: int) -> Data:
    """Friedman's first function of five of the columns, with noise, in units of its deviation."""
    generator = np.random.default_rng(seed)
    x = generator.random((size["rows"], size["columns"]))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    y += 10 * x[:, 3] + 5 * x[:, 4] + generator.standard_normal(len(x))
    return {"X": (x - x.mean(axis=0)) / x.std(axis=0), "y": (y - y.mean()) / y.std()}


def kept(model: Any) -> Machine:
    """What is needed of a fitted machine."""
    weights = model.dual_coef_
    weights = weights.toarray() if hasattr(weights, "toarray") else weights
    offset = float(np.ravel(model.intercept_)[0])
    return Machine(model.support_, np.ravel(np.asarray(weights)), offset)


def regression(data: Data, package: str, tol: float) -> Machine:
    """A package's SVR with a Gaussian kernel."""
    kind = import_module(f"{package}.svm").SVR
    gamma = 1.0 / data["X"].shape[1]
    model = kind(C=C, epsilon=EPSILON, kernel="rbf", gamma=gamma, tol=tol)
    return kept(model.fit(data["X"], data["y"]))


def one_class(data: Data, package: str, tol: float) -> Machine:
    """A package's OneClassSVM with a Gaussian kernel."""
    kind = import_module(f"{package}.svm").OneClassSVM
    model = kind(nu=NU, kernel="rbf", gamma=1.0 / data["X"].shape[1], tol=tol)
    return kept(model.fit(data["X"]))


def dense_weights(answer: Machine, n: int) -> Any:
    """A weight for each row."""
    weights = np.zeros(n)
    weights[np.asarray(answer.support)] = answer.weights
    return weights


def regression_gap(answer: Machine, data: Data) -> float:
    """The relative gap of a regression."""
    x, y = data["X"], data["y"]
    weights = dense_weights(answer, len(y))
    if np.abs(weights).max() > C * (1 + 1e-12) or abs(weights.sum()) > 1e-6 * C:
        return float("inf")
    scores = gaussian_scores(x, np.flatnonzero(weights), weights)
    square = float(weights @ scores)
    outside = np.maximum(0.0, np.abs(y - scores - answer.offset) - EPSILON)
    primal = 0.5 * square + C * float(outside.sum())
    dual = float(y @ weights) - EPSILON * float(np.abs(weights).sum()) - 0.5 * square
    return (primal - dual) / primal


def one_class_gap(answer: Machine, data: Data) -> float:
    """The gap of one class, relative to ½‖w‖²: its weights are in [0, 1] and sum to νn."""
    x = data["X"]
    total = NU * len(x)
    weights = dense_weights(answer, len(x))
    wrong = abs(weights.sum() - total) > 1e-6 * total
    if weights.min() < 0 or weights.max() > 1 + 1e-12 or wrong:
        return float("inf")
    scores = gaussian_scores(x, np.flatnonzero(weights), weights)
    square, rho = float(weights @ scores), -answer.offset
    short = float(np.maximum(0.0, rho - scores).sum())
    return (square - rho * total + short) / (0.5 * square)


def relative_gap(answer: Machine, data: Data) -> float:
    """Primal minus dual value, relative to the primal, from the data alone; inf if infeasible."""
    x, y = data["X"], data["y"]
    weights = np.zeros(len(y))
    weights[np.asarray(answer.support)] = answer.weights
    signed = weights * y
    if signed.min() < -1e-12 or signed.max() > C * (1 + 1e-12) or abs(weights.sum()) > 1e-6 * C:
        return float("inf")
    scores = gaussian_scores(x, np.flatnonzero(weights), weights)
    square = float(weights @ scores)
    primal = 0.5 * square + C * float(np.maximum(0.0, 1.0 - y * (scores + answer.offset)).sum())
    return (primal - (float(signed.sum()) - 0.5 * square)) / primal


def gaussian_scores(x: Any, used: Any, weights: Any) -> Any:
    """Kβ on all rows, block by block in double precision."""
    gamma, norms = 1.0 / x.shape[1], (x**2).sum(axis=1)
    scores = np.empty(len(x))
    for start in range(0, len(x), BLOCK):
        some = slice(start, start + BLOCK)
        squares = norms[some, None] + norms[used] - 2.0 * x[some] @ x[used].T
        scores[some] = np.exp(-gamma * np.maximum(squares, 0.0)) @ weights[used]
    return scores
