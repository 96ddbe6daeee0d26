"""Fitting the steps before the last one: with a cache, with arguments, with a clock."""

from __future__ import annotations

from typing import Any

from stylobate.base.cloning import clone
from stylobate.base.composition.part_messages import speaking_of, timed
from stylobate.base.composition.routed_arguments import Arguments, arguments_of


def passes(step: Any) -> bool:
    """Whether a step leaves the columns as they are."""
    return step is None or (isinstance(step, str) and step == "passthrough")


def fit_transform_one(transformer: Any, X: Any, y: Any, params: Arguments) -> tuple[Any, Any]:
    """The transformed columns and the fitted transformer; this is what a cache remembers."""
    if hasattr(transformer, "fit_transform"):
        return transformer.fit_transform(X, y, **arguments_of(params, "fit_transform")), transformer
    transformer = transformer.fit(X, y, **arguments_of(params, "fit"))
    return transformer.transform(X, **arguments_of(params, "transform")), transformer


def cached(memory: Any) -> Any | None:
    """`fit_transform_one` behind a cache, or None if there is no cache."""
    if isinstance(memory, str):
        import joblib

        memory = joblib.Memory(location=memory, verbose=0)
    if memory is None or getattr(memory, "location", True) is None:
        return None
    return memory.cache(fit_transform_one)


class Travelling:
    """Arguments of later steps that are data of their own and go through the steps before.

    A validation set handed to the model as ``model__X_val`` needs the columns the model sees.
    """

    def __init__(self, names: list[str] | None, params: dict[str, Arguments]) -> None:
        self.names = set(names or ())
        self.params = {
            step: {method: dict(given) for method, given in methods.items()}
            for step, methods in params.items()
        }

    def of(self, step: str) -> Arguments:
        """The arguments of a step, which has been reached."""
        return self.params.pop(step, {})

    def through(self, transformer: Any) -> None:
        """Take what is on its way through a transformer that has just been fitted."""
        made: dict[int, Any] = {}  # the same rows may be on their way to several methods
        for given in (each for methods in self.params.values() for each in methods.values()):
            for name in self.names & given.keys():
                value = given[name]
                if id(value) not in made:
                    made[id(value)] = (value, _transformed(transformer, value))
                given[name] = made[id(value)][1]


def _transformed(transformer: Any, value: Any) -> Any:
    """Rows, or a tuple of several."""
    if isinstance(value, tuple):
        return tuple(transformer.transform(part) for part in value)
    return transformer.transform(value)


def fit_steps(
    steps: list[tuple[str, Any]],
    X: Any,
    y: Any,
    travelling: Travelling,
    *,
    memory: Any,
    messages: list[str | None],
    owner: str,
) -> tuple[Any, list[tuple[str, Any]]]:
    """Fit the transformers one after the other, each to what the one before made of X.

    Returns
    -------
    X : the columns the last step gets
    steps : list of (name, fitted transformer)
    """
    compute = cached(memory)
    fitted = []
    for (name, step), message in zip(steps, messages, strict=True):
        params = travelling.of(name)
        with timed(owner, message):
            if not passes(step):
                with speaking_of("step", name, step):
                    if compute is None:
                        X, step = fit_transform_one(step, X, y, params)
                    else:  # the step itself stays unfitted: what is learnt is the cache's
                        X, step = compute(clone(step), X, y, params)
                    travelling.through(step)
        fitted.append((name, step))
    return X, fitted
