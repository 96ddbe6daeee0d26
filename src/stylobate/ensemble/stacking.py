"""What stacked classifiers and regressors share: a model of other models' predictions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import HasMethods, Interval, Options, clone
from stylobate.base.availability import available_if
from stylobate.base.composition.part_messages import speaking_of
from stylobate.base.composition.routed_arguments import arguments_of, routed, router_of
from stylobate.base.delegation import is_fitted
from stylobate.base.jobs import run_jobs
from stylobate.base.routing import routing_enabled
from stylobate.base.validation import input_names
from stylobate.data.columns import Columns
from stylobate.data.sparse import is_sparse
from stylobate.ensemble.members import read_rows
from stylobate.ensemble.named import MemberArguments, NamedEnsemble, members_have, names_for
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    NotFittedError,
    joined,
)
from stylobate.model_selection.validation.data import Data, splitter_of
from stylobate.model_selection.validation.predictions import cross_val_predict

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

Folds = (
    Annotated[int, Interval(2, inf)]
    | Annotated[Any, HasMethods("split")]
    | Annotated[Any, HasMethods("__iter__")]
    | Annotated[str, Options("prefit")]
    | None
)
FinalEstimator = Annotated[Any, HasMethods("fit")] | None

AUTO = ("predict_proba", "decision_function", "predict")


def final_has(method: str) -> Any:
    """Whether the final estimator (fitted, or the one to be) has a method."""
    return lambda self: hasattr(vars(self).get("final_estimator_") or self._final(), method)


class StackingBase(NamedEnsemble):
    """Members, and a final estimator fitted to their predictions of rows they have not seen."""

    if TYPE_CHECKING:
        classes_: Any  # of a classifier
        final_estimator: Any
        cv: Any
        passthrough: bool
        stack_method: str
        final_estimator_: Any
        stack_method_: list[str]

    @abstractmethod
    def _final(self) -> Any:
        """The final estimator: the one given, or the default."""

    @abstractmethod
    def _drops_first(self, method: str) -> bool:
        """Whether the first column of a prediction says nothing the others do not."""

    def _fit_stack(
        self,
        columns: Columns,
        y: NDArray[Any],
        kept: list[tuple[str, Any]],
        given: MemberArguments,
    ) -> Self:
        final = clone(self._final())
        methods = [self._method_of(name, part) for name, part in kept]
        if isinstance(self.cv, str):
            members = self._prefitted(kept)
            found = [
                getattr(each, method)(columns.native)
                for each, method in zip(members, methods, strict=True)
            ]
        else:
            members = self._fitted_members(kept, columns.native, y, given)
            found = self._unseen(columns, y, kept, methods, given)
        self.estimators_, self.stack_method_ = members, methods
        made = self._joined(found, columns)
        with speaking_of("final_estimator", "final", final):
            self.final_estimator_ = final.fit(made, y, **given.weights)
        return self

    def get_metadata_routing(self) -> Any:
        """scikit-learn's router: `fit` comes to the estimators, `predict` to the final one."""
        parts: list[tuple[str, Any, Any]] = [
            (name, part, (("fit", "fit"),)) for name, part in self.estimators
        ]
        final = vars(self).get("final_estimator_", self.final_estimator)
        return router_of(self, [*parts, ("final_estimator_", final, (("predict", "predict"),))])

    def _predict_arguments(self, params: dict[str, Any]) -> dict[str, Any]:
        """What the final estimator's `predict` gets: what it asks for, or all there is."""
        if not routing_enabled():
            return params
        return arguments_of(routed(self, "predict", params).get("final_estimator_"), "predict")

    def _check_loaded(self) -> None:
        """Refuse members of a file that are asked by no method, or by one they have not."""
        if "stack_method_" not in vars(self):
            return
        methods = self.stack_method_
        paired = isinstance(methods, list) and len(methods) == len(self.estimators_)
        if not paired or not all(
            method in AUTO and hasattr(each, method)
            for each, method in zip(self.estimators_, methods, strict=True)
        ):
            raise ModelFileError(
                f"The {type(self).__name__} of the file asks its members by methods they have not."
            )

    def _method_of(self, name: str, part: Any) -> str:
        """What is asked of a member."""
        wanted = AUTO if self.stack_method == "auto" else (self.stack_method,)
        for method in wanted:
            if hasattr(part, method):
                return method
        raise InvalidParameterError(
            f"{type(self).__name__}: Underlying estimator {name} does not implement the method "
            f"{' or '.join(wanted)}."
        )

    def _prefitted(self, kept: Sequence[tuple[str, Any]]) -> list[Any]:
        for name, part in kept:
            if not is_fitted(part):
                raise joined(NotFittedError)(
                    f"{type(self).__name__}: with cv='prefit' every estimator must be fitted "
                    f"already, but {name!r} ({type(part).__name__}) is not fitted yet."
                )
        return [part for _, part in kept]

    def _unseen(
        self,
        columns: Columns,
        y: NDArray[Any],
        kept: Sequence[tuple[str, Any]],
        methods: Sequence[str],
        given: MemberArguments,
    ) -> list[Any]:
        """Each member's predictions of rows that it has not seen, all on the same splits."""
        if columns.n_rows < 2:
            raise InvalidDataError(
                f"{type(self).__name__} cross-validates its estimators, which one sample does not "
                "allow; at least 2 rows are needed, or cv='prefit'."
            )
        data = Data.of(columns.native, y, None, {})
        cv = splitter_of(self.cv, self, y)
        if not isinstance(vars(cv).get("random_state", 0), int):
            cv = data.splits(cv)  # once: another call would shuffle otherwise
        calls = [
            partial(
                cross_val_predict,
                part,
                data.x,
                y,
                cv=cv,
                method=method,
                params=given.of(name),
            )
            for (name, part), method in zip(kept, methods, strict=True)
        ]
        return run_jobs(calls, self.n_jobs, self, "2*n_jobs")

    def _joined(self, found: Sequence[Any], columns: Columns) -> Any:
        """The predictions side by side, with X itself if it is passed through."""
        tables: list[Any] = []
        for method, each in zip(self.stack_method_, map(np.asarray, found), strict=True):
            table = each[:, np.newaxis] if each.ndim == 1 else each
            drops = table.shape[1] > 1 and self._drops_first(method)
            tables.append(table[:, 1:] if drops else table)
        self._n_feature_outs = [int(table.shape[1]) for table in tables]
        if not self.passthrough:
            return np.hstack(tables)
        if is_sparse(columns.native):
            from scipy import sparse

            return sparse.hstack([*tables, columns.native], format=columns.native.format)
        return np.hstack([*tables, self._numbers(columns)])

    def _numbers(self, columns: Columns) -> NDArray[Any]:
        from stylobate.data import read_table

        owner = f"{type(self).__name__} with passthrough=True"
        table = read_table(columns.native, owner=owner, check_finite="deferred")
        return np.asarray(table.x)

    def transform(self, X: Any) -> Any:
        """What each member says about the rows, with X itself if it is passed through.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array, sparse array or frame of shape (n, n_outputs)
        """
        columns: Any = read_rows(self, X, reset=False) if self._is_ready() else None
        return self._wrap(self._said(columns), columns)

    def _is_ready(self) -> bool:
        self._check_fitted()
        return True

    def _said(self, columns: Columns) -> Any:
        found = [
            getattr(each, method)(columns.native)
            for each, method in zip(self.estimators_, self.stack_method_, strict=True)
        ]
        return self._joined(found, columns)

    def _ask_final(self, X: Any, method: str, **params: Any) -> Any:
        self._check_fitted()
        made = self._said(read_rows(self, X, reset=False))
        return getattr(self.final_estimator_, method)(made, **params)

    @available_if(final_has("predict"), "whose final estimator has none")
    def predict(self, X: Any, **predict_params: Any) -> NDArray[Any]:
        """The final estimator's predictions.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        **predict_params : object
            More arguments for the `predict` of the final estimator.

        Returns
        -------
        array of shape (n,)
        """
        return np.asarray(self._ask_final(X, "predict", **predict_params))

    @available_if(
        lambda self: members_have("_formula")(self) and final_has("_formula")(self),
        "whose estimators have not all got one",
    )
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import relabelled, said
        from stylobate.formula.export import formula_of
        from stylobate.formula.expressions import Answer, Named, number, plain

        made: list[Expression] = []
        for member, method in zip(self.estimators_, self.stack_method_, strict=True):
            found = said(formula_of(member, columns), method, member)
            drops = len(found) > 1 and self._drops_first(method)
            made += [Named("said", each) for each in (found[1:] if drops else found)]
        if self.passthrough:
            made += [number(column) for column in columns]
        answer: Answer = formula_of(self.final_estimator_, made)
        if not answer.classes:
            return answer
        names = {code: plain(self.classes_[int(code)]) for code in answer.classes}
        labels = tuple(names.values())
        return Answer((relabelled(answer.predictions[0], names),), answer.probabilities, labels)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns `transform` returns: class, estimator and number of the column.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns, for those passed through.

        Returns
        -------
        ndarray of str objects
        """
        self._check_fitted()
        given = input_names(self, input_features)
        prefix = type(self).__name__.lower()
        made = names_for(prefix, list(self._kept_names()), self._n_feature_outs)
        return np.concatenate([made, given]) if self.passthrough else made
