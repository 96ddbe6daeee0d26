"""The methods of a search that its refitted estimator answers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.availability import available_if
from stylobate.base.composition.routed_arguments import arguments_of, refuse_unrouted, routed
from stylobate.base.tags import Tagged
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.scoring.accumulation import ONE
from stylobate.model_selection.search.delegation import refitted_has
from stylobate.model_selection.validation.requests import scorers_by_name

_WHY = "for its estimator has none or refit=False"


class Refitted(Tagged):
    """Hands questions on to ``best_estimator_``; what that lacks a search lacks too."""

    if TYPE_CHECKING:
        estimator: Any
        cv: Any
        scoring: Any
        refit: Any
        best_estimator_: Any
        scorer_: Any
        multimetric_: bool

        def _check_fitted(self) -> None: ...

    @available_if(refitted_has("_formula"), _WHY)
    def _formula(self, columns: list[Any]) -> Any:
        return self._best()._formula(columns)

    @available_if(refitted_has("predict"), _WHY)
    def predict(self, X: Any) -> Any:
        """Predictions of the best estimator for X."""
        return self._best().predict(X)

    @available_if(refitted_has("predict_proba"), _WHY)
    def predict_proba(self, X: Any) -> Any:
        """Class probabilities of the best estimator for X."""
        return self._best().predict_proba(X)

    @available_if(refitted_has("predict_log_proba"), _WHY)
    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the best estimator's class probabilities for X."""
        return self._best().predict_log_proba(X)

    @available_if(refitted_has("decision_function"), _WHY)
    def decision_function(self, X: Any) -> Any:
        """The best estimator's decision function of X."""
        return self._best().decision_function(X)

    @available_if(refitted_has("score_samples"), _WHY)
    def score_samples(self, X: Any) -> Any:
        """The best estimator's scores of the rows of X."""
        return self._best().score_samples(X)

    @available_if(refitted_has("transform"), _WHY)
    def transform(self, X: Any) -> Any:
        """X transformed by the best estimator."""
        return self._best().transform(X)

    @available_if(refitted_has("inverse_transform"), _WHY)
    def inverse_transform(self, X: Any) -> Any:
        """X transformed back by the best estimator."""
        return self._best().inverse_transform(X)

    def score(self, X: Any, y: Any = None, **params: Any) -> float:
        """The score of the best estimator on X and y, by the scoring of the search.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows.
        y : array-like of shape (n,) or (n, n_outputs), optional
            What they really are.
        **params : object
            For scorers that ask for them, with scikit-learn's metadata routing enabled.

        Returns
        -------
        float
        """
        refuse_unrouted(type(self).__name__, "score", params)
        if not self.refit:
            raise AttributeError(
                f"{type(self).__name__} has no score with these parameters, {_WHY}: score is "
                "available only after refitting on the best parameters."
            )
        best = self._best()
        args = (X,) if y is None else (X, y)
        if not self.multimetric_:
            return float(self.scorer_(best, *args, **self._asked_by(ONE, params)))
        if callable(self.refit):
            raise InvalidParameterError(
                f"{type(self).__name__}.score: refit is a function, so that none of the scores "
                f"{', '.join(map(repr, self._score_names()))} is the score; name it in refit."
            )
        if isinstance(self.scorer_, dict):
            scorer = self.scorer_[self.refit]
            return float(scorer(best, *args, **self._asked_by(self.refit, params)))
        return float(self.scorer_(best, *args)[self.refit])

    def _asked_by(self, scorer: str, params: dict[str, Any]) -> dict[str, Any]:
        """What a scorer gets of the arguments of `score`."""
        return arguments_of(routed(self, "score", params).get(f"scorer_{scorer}"), "score")

    def _score_names(self) -> list[str]:
        return list(self.scorer_) if isinstance(self.scorer_, dict) else []

    @property
    def classes_(self) -> NDArray[Any]:
        """Classes of the best estimator, if it is a classifier."""
        return np.asarray(self._of_refit("classes_"))

    @property
    def n_features_in_(self) -> int:
        """Columns seen at `fit`."""
        return int(self._of_refit("n_features_in_"))

    def _best(self) -> Any:
        self._check_fitted()
        return self.best_estimator_

    def _of_refit(self, name: str) -> Any:
        """An attribute that is there only after a refit."""
        found = vars(self) if name.startswith("_") else vars(self).get("best_estimator_")
        if isinstance(found, dict) and name in found:
            return found[name]
        if found is not None and not isinstance(found, dict):
            return getattr(found, name)
        raise AttributeError(
            f"{type(self).__name__} has no {name.strip('_')} yet: it is known after fit with refit."
        )

    def get_metadata_routing(self) -> Any:
        """scikit-learn's router for this search; called by its own routers."""
        routing = sys.modules["sklearn.utils.metadata_routing"]  # they are asking, so it is loaded
        from stylobate.metrics import check_scoring
        from stylobate.metrics.scoring.scorers import BuiltInScore
        from stylobate.splits import check_cv

        def mapping(*calls: tuple[str, str]) -> Any:
            found = routing.MethodMapping()
            for caller, callee in calls:
                found.add(caller=caller, callee=callee)
            return found

        router = routing.MetadataRouter(owner=self)
        router.add(estimator=self.estimator, method_mapping=mapping(("fit", "fit")))
        router.add(splitter=check_cv(self.cv), method_mapping=mapping(("fit", "split")))
        scorer = check_scoring(self.estimator, self.scoring)
        for name, each in scorers_by_name(scorer).items():
            judge = self.estimator if isinstance(each, BuiltInScore) else each
            calls = mapping(("fit", "score"), ("score", "score"))
            router.add(method_mapping=calls, **{f"scorer_{name}": judge})
        return router
