"""What a fitted pipeline answers: X goes through the transformers, the last step speaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from stylobate.base.availability import available_if
from stylobate.base.composition.output import hand_on_output
from stylobate.base.composition.part_messages import speaking_of
from stylobate.base.composition.parts import ComposedOfParts
from stylobate.base.composition.routed_arguments import (
    Arguments,
    arguments_of,
    refuse_unrouted,
    routed,
)
from stylobate.base.routing import routing_enabled
from stylobate.pipeline.step_fits import passes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stylobate.formula.expressions import Expression

# Methods of a fitted pipeline that let the steps before the last transform.
ANSWERS = (
    "predict", "predict_proba", "predict_log_proba", "decision_function", "score", "transform",
)  # fmt: skip
LACKS = "because its last step has none"


def last_has(method: str) -> Callable[[Any], bool]:
    """Whether the last step has a method."""
    return lambda self: hasattr(self._last, method)


def _transforms(self: Any) -> bool:
    return passes(self._last) or hasattr(self._last, "transform")


def _inverts(self: Any) -> bool:
    return all(passes(step) or hasattr(step, "inverse_transform") for _, step in self.steps)


def _has_formula(self: Any) -> bool:
    return all(passes(step) or hasattr(step, "_formula") for _, step in self.steps)


def _has_graph(self: Any) -> bool:
    *before, (_, last) = self.steps
    written = all(passes(step) or hasattr(step, "_formula") for _, step in before)
    return written and hasattr(last, "_onnx_graph")


class AnswersThroughSteps(ComposedOfParts):
    """Methods of the last step, each asked about what the steps before it make of X."""

    if TYPE_CHECKING:
        steps: Any

    @property
    def _last(self) -> Any:
        parts = self._named_parts()
        return parts[-1][1] if parts else None

    @property
    def _first(self) -> Any:
        """The first step that does anything."""
        return next((step for _, step in self._named_parts() if not passes(step)), None)

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels the last step knows."""
        labels: NDArray[Any] = self._last.classes_
        return labels

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """The number of columns the first step was fitted to."""
        count: int = self._first.n_features_in_
        return count

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """The names of the columns the first step was fitted to."""
        names: NDArray[np.object_] = self._first.feature_names_in_
        return names

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that leave the last step.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`.

        Returns
        -------
        ndarray of str objects
        """
        names = input_features
        for name, step in self.steps:
            if passes(step):
                continue
            if not hasattr(step, "get_feature_names_out"):
                raise AttributeError(
                    f"Estimator {name} does not provide get_feature_names_out. Did you mean to "
                    "call pipeline[:-1].get_feature_names_out()?"
                )
            names = step.get_feature_names_out(names)
        return names  # type: ignore[no-any-return]

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose the container in which every step hands its columns on.

        Parameters
        ----------
        transform : {"default", "pandas", "polars", "pyarrow"}, optional
            As in the steps' own `set_output`; None changes nothing.

        Returns
        -------
        self
        """
        for name, step in self._named_parts():
            with speaking_of("step", name, step):
                hand_on_output(step, transform)
        return self

    def _before_last(self, X: Any, given: dict[str, Arguments]) -> Any:
        """What the transformers before the last step make of X."""
        self._check_fitted()
        for name, step in self.steps[:-1]:
            if not passes(step):
                with speaking_of("step", name, step):
                    X = step.transform(X, **arguments_of(given.get(name), "transform"))
        return X

    def _ask(self, method: str, X: Any, *args: Any, **params: Any) -> Any:
        name, last = self.steps[-1]
        given: dict[str, Arguments] = {name: {method: params}}
        if routing_enabled():
            given = routed(self, method, params)
        X = self._before_last(X, given)
        with speaking_of("step", name, last):
            return getattr(last, method)(X, *args, **arguments_of(given.get(name), method))

    @available_if(_has_formula, "because not all of its steps have one")
    def _formula(self, columns: list[Expression]) -> Any:
        from stylobate.formula.export import formula_of

        found: Any = columns
        for _, step in self.steps:
            if not passes(step):
                found = formula_of(step, found)
        return found

    @available_if(_has_graph, "because its last step has none")
    def _onnx_graph(self) -> Any:
        """Formulas of the steps before, then the graph of a last step that is a network."""
        from stylobate.formula.export import formula_of, inputs_of

        columns: Any = inputs_of(self)
        *before, (_, last) = self.steps
        for _, step in before:
            if not passes(step):
                columns = formula_of(step, columns)
        return last._onnx_graph(before=(self, columns))

    @available_if(last_has("predict"), LACKS)
    def predict(self, X: Any, **params: Any) -> Any:
        """Transform X and let the last step predict.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        **params : object
            More arguments for the last step's method.

        Returns
        -------
        array
            What the last step gives.
        """
        return self._ask("predict", X, **params)

    @available_if(last_has("predict_proba"), LACKS)
    def predict_proba(self, X: Any, **params: Any) -> Any:
        """Transform X and let the last step give probabilities; arguments as in `predict`."""
        return self._ask("predict_proba", X, **params)

    @available_if(last_has("predict_log_proba"), LACKS)
    def predict_log_proba(self, X: Any, **params: Any) -> Any:
        """Transform X and let the last step give log-probabilities; as in `predict`."""
        return self._ask("predict_log_proba", X, **params)

    @available_if(last_has("decision_function"), LACKS)
    def decision_function(self, X: Any, **params: Any) -> Any:
        """Transform X and let the last step give its margins; arguments as in `predict`."""
        refuse_unrouted(type(self).__name__, "decision_function", params)
        return self._ask("decision_function", X, **params)

    @available_if(last_has("score_samples"), LACKS)
    def score_samples(self, X: Any) -> Any:
        """Transform X and let the last step score each row."""
        return self._ask("score_samples", X)

    @available_if(last_has("score"), LACKS)
    def score(self, X: Any, y: Any = None, sample_weight: Any = None, **params: Any) -> Any:
        """Transform X and let the last step score its predictions.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,), optional
            What they really are.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows, handed on if given.
        **params : object
            More arguments for the last step's method.

        Returns
        -------
        float
        """
        if sample_weight is not None:
            params["sample_weight"] = sample_weight
        return self._ask("score", X, y, **params)

    @available_if(_transforms, LACKS)
    def transform(self, X: Any, **params: Any) -> Any:
        """What all steps make of X, one after the other.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        **params : object
            For steps that ask for them, with scikit-learn's metadata routing enabled.

        Returns
        -------
        array or frame of shape (n, n_features_out)
        """
        refuse_unrouted(type(self).__name__, "transform", params)
        if not passes(self._last):
            return self._ask("transform", X, **params)
        return self._before_last(X, routed(self, "transform", params))

    @available_if(_inverts, "because not all of its steps have one")
    def inverse_transform(self, X: Any, **params: Any) -> Any:
        """The steps backwards.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features_out)
            Transformed rows.
        **params : object
            For steps that ask for them, with scikit-learn's metadata routing enabled.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        refuse_unrouted(type(self).__name__, "inverse_transform", params)
        given = routed(self, "inverse_transform", params)
        for name, step in reversed(self.steps):
            if not passes(step):
                with speaking_of("step", name, step):
                    arguments = arguments_of(given.get(name), "inverse_transform")
                    X = step.inverse_transform(X, **arguments)
        return X
