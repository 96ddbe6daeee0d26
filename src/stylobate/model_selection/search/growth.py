"""Models that grow: more trees, more iterations, more passes over the rows."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.base import clone, is_classifier
from stylobate.data import read_labels
from stylobate.exceptions import InvalidParameterError
from stylobate.splits.splitter import is_integer

PASSES = "partial_fit"


@dataclass(frozen=True)
class Growth:
    """How much of a resource a model has at each step, and how it is given.

    Parameters
    ----------
    resource : str
        A parameter of the estimator, or "partial_fit": passes over the rows.
    amounts : tuple of int
        Ascending.
    warm : str or None
        The parameter that makes `fit` go on with the model as it is.
    classes : array or None
        All classes, for the first `partial_fit` of a classifier.
    """

    resource: str
    amounts: tuple[int, ...]
    warm: str | None = None
    classes: Any = None

    @property
    def most(self) -> int:
        """The resource of a whole model."""
        return self.amounts[-1]

    def begun(self, estimator: Any) -> Any:
        """A clone that can grow."""
        twin = clone(estimator)
        return twin.set_params(**{self.warm: True}) if self.warm else twin

    def grown(self, model: Any, step: int, fitted: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The model with the amount of a step; it has that of the step before."""
        amount = self.amounts[step]
        if self.resource == PASSES:
            before = self.amounts[step - 1] if step else 0
            return self._passed(model, range(before, amount), fitted, params)
        if not self.warm:
            model = clone(model)
        return model.set_params(**{self.resource: amount}).fit(*fitted, **params)

    def whole(self, estimator: Any, fitted: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """A clone with the whole amount, fitted at once."""
        twin = clone(estimator)
        if self.resource == PASSES:
            return self._passed(twin, range(self.most), fitted, params)
        return twin.set_params(**{self.resource: self.most}).fit(*fitted, **params)

    def _passed(self, model: Any, passes: range, fitted: Any, params: dict[str, Any]) -> Any:
        for number in passes:
            more = {"classes": self.classes} if number == 0 and self.classes is not None else {}
            model.partial_fit(*fitted, **params, **more)
        return model


def growth_of(
    estimator: Any, y: Any, resource: str, least: Any, most: Any, factor: float, owner: str
) -> Growth:
    """The steps of an estimator's resource; refuses what it does not have.

    Parameters
    ----------
    least, most : int or None
        Resource of the first step, and of a whole model; None for the parameter's value and a
        ninth of it.
    factor : float
        By how much one step exceeds the one before.
    """
    if most is None:
        most = _own_amount(estimator, resource, owner)
    least = max(int(most / factor**2), 1) if least is None else least
    if least > most:
        raise InvalidParameterError(
            f"{owner}: min_resources={least} is more than max_resources={most}."
        )
    amounts = [int(most)]
    while amounts[0] / factor >= least:
        amounts.insert(0, max(int(amounts[0] / factor), least))
    if resource == PASSES:
        return Growth(resource, tuple(amounts), classes=_classes(estimator, y, owner))
    _check_parameter(estimator, resource, owner)
    warm = resource.rpartition("__")[0]
    warm = f"{warm}__warm_start" if warm else "warm_start"
    known = estimator.get_params()
    return Growth(resource, tuple(amounts), warm if warm in known else None)


def _check_parameter(estimator: Any, resource: str, owner: str) -> None:
    known = estimator.get_params()
    if resource not in known:
        raise InvalidParameterError(
            f"{owner}: {type(estimator).__name__} has no parameter {resource!r} to be the "
            f"resource; it may be 'partial_fit' or one of {', '.join(map(repr, sorted(known)))}."
        )


def _own_amount(estimator: Any, resource: str, owner: str) -> int:
    if resource != PASSES:
        _check_parameter(estimator, resource, owner)
        own = estimator.get_params()[resource]
        if is_integer(own) and own >= 1:
            return int(own)
    raise InvalidParameterError(
        f"{owner}: say how much of {resource!r} a whole model has, max_resources=… ."
    )


def _classes(estimator: Any, y: Any, owner: str) -> Any:
    if not hasattr(estimator, PASSES):
        raise InvalidParameterError(
            f"{owner}: {type(estimator).__name__} has no partial_fit; name a parameter that grows "
            "as the resource, such as 'max_iter' or 'n_estimators', or leave resource=None."
        )
    takes = "classes" in inspect.signature(estimator.partial_fit).parameters
    if not (takes and is_classifier(estimator)):
        return None
    return np.unique(read_labels(y, owner=owner)[0])
