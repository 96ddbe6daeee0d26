"""Predictions of a fitted model: predictors, means, chances, labels, and the formula for SQL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.design.frame import Frame
from stylobate.exceptions import FormulaError, InvalidDataError
from stylobate.regression.model_parts import OWNER, ModelParts
from stylobate.regression.row_methods import row_amounts

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class PredictionMethods(ModelParts):
    """Methods of `FormulaModel` that look at new rows."""

    def predictor(self, data: Any, *, exposure: Any = None) -> Array:
        """The linear predictor of the rows of a table.

        Parameters
        ----------
        data : data frame or mapping
        exposure : array-like or name of a column, optional
            As in `fit`; 1 by default.
        """
        self._check_fitted()
        frame = Frame.of(data, OWNER)
        x = self.design_.matrix(frame, OWNER)
        if self.family_[0].name == "ordinal":
            x = x[:, int(self.design_.has_intercept) :]
        if self.absorbs:
            x = x[:, int(self.design_.has_intercept) :]
        z = np.asarray(x @ self.coef_[: x.shape[1]])
        for factor in getattr(self, "absorbed_", ()):
            z = z + factor.of(frame)
        offset = self.design_.offset(frame, OWNER)
        z = z if offset is None else z + offset
        amount = row_amounts(exposure, frame, np.arange(frame.n_rows), "exposure", least=0.0)
        return z if amount is None else z + np.log(amount)

    def predict(self, data: Any, *, exposure: Any = None) -> Any:
        """Predicted means; of two or more labels the likeliest one.

        Parameters
        ----------
        data : data frame or mapping of names to columns
            New rows. A level the fit did not see is refused.
        exposure : array-like or name of a column, optional
            As in `fit`; 1 by default.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        if self.estimator is not None:
            return self.estimator_.predict(self._named(self.design_.matrix(data, OWNER)))
        if self.target_.classes:
            chances = self.predict_proba(data, exposure=exposure)
            labels = np.empty(len(self.target_.classes), dtype=object)
            labels[:] = self.target_.classes
            return labels[chances.argmax(axis=1)]
        return self.mean(data, exposure=exposure)

    def mean(self, data: Any, *, exposure: Any = None) -> Array:
        """Predicted means; of two labels the probability of the second."""
        from stylobate.regression.likelihood_fit import means_and_variances

        z = self.predictor(data, exposure=exposure)
        if self.is_least_squares:
            return z
        if self.family_[0].name == "ordinal":
            raise InvalidDataError(f"{OWNER}: classes in order have no mean; see predict_proba.")
        return means_and_variances(self.likelihood_model, z, self._other_predictors(data))[0]

    def _other_predictors(self, data: Any) -> Array | None:
        """Log α and the zero part's predictor of new rows."""
        family, k = self.family_[0], len(self.design_.names)
        rest = self.coef_[k:]
        if family.exponential or not len(rest):
            return None
        frame = Frame.of(data, OWNER)
        columns, at = [], 0
        if family.name.endswith("negative_binomial"):
            columns.append(np.full(frame.n_rows, rest[0]))
            at = 1
        if family.name.startswith("zero_inflated"):
            design = self.zero_design_
            z = np.ones((frame.n_rows, 1)) if design is None else design.matrix(frame, OWNER)
            columns.append(z @ rest[at:])
        return np.column_stack(columns)

    def predict_proba(self, data: Any, *, exposure: Any = None) -> Array:
        """Probabilities of the labels, one column for each in order.

        Parameters
        ----------
        data, exposure
            As of `predict`.

        Returns
        -------
        array of shape (n, n_labels)
        """
        self._check_fitted()
        if self.family_[0].target == "ordered":
            cuts = self.coef_[-(len(self.target_.classes) - 1) :]
            likelihood = self.likelihood_model.likelihood()
            found: Array = likelihood.probabilities(cuts, self.predictor(data, exposure=exposure))
            return found
        if self.family_[0].target != "binary":
            raise InvalidDataError(
                f"{OWNER}: family {self.family_[0].name!r} explains no labels; see predict."
            )
        second = self.mean(data, exposure=exposure)
        return np.column_stack([1.0 - second, second])

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.expressions import Linear
        from stylobate.formula.pieces import linear_answer, through_link

        family, link = self.family_
        plain = self.is_least_squares or link in ("identity", "log", "logit")
        if self.absorbs:
            raise FormulaError(f"{OWNER}: absorbed factors have no form in SQL.")
        if not plain or self.estimator is not None or not family.exponential or self.has_exposure_:
            raise FormulaError(
                f"{OWNER}: family {family.name!r} with the {link} link (or an exposure, or an "
                "estimator) has no form in SQL; the identity, log and logit links have."
            )
        names = [str(name) for name in self.feature_names_in_]
        made = self.design_.expressions(columns, names)
        skip = int(self.design_.has_intercept)
        constant = float(self.coef_[0]) if skip else 0.0
        answer = linear_answer(made[skip:], self.coef_[skip:], constant)
        offset = self.design_.offset_expression(columns, names)
        if offset is not None:
            moved = tuple(Linear((each, offset), (1.0, 1.0)) for each in answer.predictions)
            answer = replace(answer, predictions=moved)
        return through_link(answer, link)
