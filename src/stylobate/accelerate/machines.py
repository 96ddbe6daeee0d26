"""Support vector machines: LIBSVM's solver replaced, the rest of scikit-learn's `fit` kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.accelerate.adapter import (
    Allowed,
    described_parameters,
    refused_parameter,
    with_parameters_of,
)
from stylobate.accelerate.fits import FitAdapter
from stylobate.accelerate.values import positive

_FIXED: dict[str, Allowed] = {"kernel": ("linear", "rbf", "poly"), "C": positive}
_FREE = (
    "degree", "gamma", "coef0", "shrinking", "tol", "cache_size", "class_weight", "epsilon",
    "decision_function_shape", "break_ties", "random_state",
)  # fmt: skip


@dataclass(frozen=True)
class MachineAdapter:
    """The dense solver of a kernel machine.

    Parameters
    ----------
    name : str
        The class.
    smallest : int
        Cells of X from which ours is not slower.
    """

    name: str
    smallest: int = 10_000
    home: str = "svm"
    method: str = "_dense_fit"

    def prepared(self, model: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """X, y and weights as scikit-learn's `fit` hands them to LIBSVM, or a reason."""
        X, y, weight = args[:3]
        refused = refused_parameter(model, _FREE, _FIXED)
        if refused is not None:
            return refused
        if X.size < self.smallest:
            return "few rows"
        if len(weight) and (weight <= 0).any():
            return "weights of zero"  # LIBSVM leaves such rows out and numbers the others anew
        return X, y, (weight if len(weight) else None)

    def answer(self, model: Any, prepared: Any) -> None:
        """Write what LIBSVM would: the signs of two classes are turned by scikit-learn later."""
        X, y, weight = prepared
        classes = getattr(model, "classes_", None)
        others: dict[str, Any] = {"gamma": float(model._gamma)}
        if classes is not None:  # weights of classes by the codes that `fit` made of them
            others["class_weight"] = dict(enumerate(model.class_weight_))
        ours = with_parameters_of(model, "svm", self.name, **others)
        ours.fit(X, y, sample_weight=weight)
        two = classes is not None and len(classes) == 2
        sign = -1.0 if two else 1.0
        model.support_, model.support_vectors_ = ours.support_, ours.support_vectors_
        model.dual_coef_ = sign * ours.dual_coef_
        model.intercept_ = sign * np.atleast_1d(ours.intercept_)
        model._n_support = _counts(ours.n_support_, classes is not None)
        model._probA = model._probB = np.empty(0)
        model.fit_status_ = ours.fit_status_
        model._num_iter = np.atleast_1d(np.asarray(ours.n_iter_, dtype=np.int32))

    def learnt_by(self, model: Any) -> dict[str, Any]:
        """What can be compared: coefficients of rows vary where the kernel has a kernel."""
        return {"intercept_": model.intercept_}

    def describe(self) -> str:
        """The conditions in words."""
        return (
            f"dense rows of {self.smallest:,} cells or more; {described_parameters(_FREE, _FIXED)}"
        )


def _counts(n_support: Any, classes: bool) -> Any:
    counts = np.asarray(n_support, dtype=np.int32)
    return counts if classes else np.array([counts.sum(), 0], dtype=np.int32)


MACHINES = (
    MachineAdapter("SVC"),
    MachineAdapter("SVR"),
    FitAdapter(
        "svm", "LinearSVC", ("classes_", "coef_", "intercept_", "n_iter_"),
        free=(
            "C", "tol", "dual", "fit_intercept", "intercept_scaling", "class_weight", "max_iter",
            "random_state",
        ),
        fixed={"loss": ("squared_hinge",)}, classifies=True, smallest=100_000,
    ),
)  # fmt: skip
