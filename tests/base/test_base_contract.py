"""Every contract check catches an estimator that breaks the rule it guards."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
from small_estimators import SmallCentroids, SmallRidge, SmallScaler, dense

from stylobate.base import BaseEstimator, Interval, RegressorMixin
from stylobate.testing import ContractError, check_contract, contract_checks


class Converts(SmallRidge):
    """SmallRidge whose constructor converts."""

    def __init__(self, alpha: float = 1.0, fit_intercept: bool = True, solver: str = "lstsq"):
        super().__init__(alpha, fit_intercept, str(solver))


class AddsAttribute(SmallRidge):
    """SmallRidge whose constructor computes."""

    def __init__(self, alpha: float = 1.0, fit_intercept: bool = True, solver: str = "lstsq"):
        super().__init__(alpha, fit_intercept, solver)
        self.cache = {}


class Unconstrained(SmallRidge):
    def __init__(self, alpha=1.0, fit_intercept: bool = True, solver: str = "lstsq"):
        super().__init__(alpha, fit_intercept, solver)


class BadDefault(SmallRidge):
    def __init__(
        self,
        alpha: Annotated[float, Interval(2, 3)] = 1.0,
        fit_intercept: bool = True,
        solver: str = "lstsq",
    ):
        super().__init__(alpha, fit_intercept, solver)


class Undocumented(SmallRidge):
    """Ridge.

    Parameters
    ----------
    alpha : float
        Penalty.
    """


class NoExample(SmallRidge):
    """Ridge without an example."""


class WrongExample(SmallRidge):
    """Ridge.

    >>> 1 + 1
    3
    """


class ChecksNothing(SmallRidge):
    def _check_parameters(self) -> None:
        """Let everything pass."""


class ForgetsSelf(SmallRidge):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        super().fit(X, y, sample_weight)


class ChangesParameter(SmallRidge):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        super().fit(X, y, sample_weight)
        self.alpha = 7.0
        return self


class Anonymous(SmallRidge):
    def __repr__(self) -> str:
        return "a model"


class LetsNaNTravel(SmallRidge):
    def _read(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset, **options):
        options["check_finite"] = "allow-nan"
        return super()._read(X, y, sample_weight, reset=reset, **options)


class RaisesKeyError(SmallRidge):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if len(X) < 2:
            raise KeyError("oops")
        return super().fit(X, y, sample_weight)


class SilentNaN(SmallScaler):
    """Divides by zero spread."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        super().fit(X, y, sample_weight)
        x = dense(self._read(X, reset=False))
        with np.errstate(all="ignore"):
            self.ratio_ = x.std(axis=0) / np.ptp(x, axis=0)
        return self


class AnswersUnfitted(SmallRidge):
    def predict(self, X: Any) -> Any:
        return np.zeros(len(X))


class ForgetsNames(SmallRidge):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        super().fit(X, y, sample_weight)
        vars(self).pop("feature_names_in_", None)
        return self


class RemembersPast(SmallRidge):
    """Adds to what an earlier fit found."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        before = getattr(self, "fits_", 0.0)
        super().fit(X, y, sample_weight)
        self.fits_ = before + 1.0
        return self


class WritesIntoX(SmallRidge):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        super().fit(X, y, sample_weight)
        if isinstance(X, np.ndarray) and X.flags.writeable:
            X[0, 0] = 0.0
        return self


class LosesState(SmallRidge):
    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"coef_": np.zeros_like(self.coef_)}


class CountsThreads(SmallRidge):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        from stylobate.parallel import get_threads

        super().fit(X, y, sample_weight)
        self.intercept_ += 1e-15 * get_threads() * abs(self.intercept_)
        return self


class IgnoresWeights(SmallRidge):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        super().fit(X, y, sample_weight)  # checked …
        return super().fit(X, y)  # … and ignored


class ReadsMemoryOrder(SmallRidge):
    """Takes Fortran order for C order."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if isinstance(X, np.ndarray) and X.flags.f_contiguous and not X.flags.c_contiguous:
            X = np.ravel(X, order="K").reshape(X.shape)
        return super().fit(X, y, sample_weight)


BROKEN = [
    (Converts, "constructor_only_stores"),
    (AddsAttribute, "constructor_only_stores"),
    (Unconstrained, "parameters_are_constrained"),
    (BadDefault, "parameters_are_constrained"),
    (Undocumented, "parameters_are_documented"),
    (NoExample, "example_runs"),
    (WrongExample, "example_runs"),
    (ChecksNothing, "bad_parameters_are_refused"),
    (ForgetsSelf, "fit_returns_self"),
    (ChangesParameter, "fit_returns_self"),
    (Anonymous, "representations_work"),
    (LetsNaNTravel, "impossible_data_are_refused"),
    (RaisesKeyError, "impossible_data_are_refused"),
    (RaisesKeyError, "odd_data_get_an_answer"),
    (SilentNaN, "odd_data_get_an_answer"),
    (AnswersUnfitted, "unfitted_is_refused"),
    (ForgetsNames, "names_are_remembered"),
    (RemembersPast, "fitting_twice_gives_same_bits"),
    (WritesIntoX, "input_is_left_alone"),
    (LosesState, "pickles"),
    (CountsThreads, "threads_give_same_bits"),
    (IgnoresWeights, "weights_equal_repeats"),
    (ReadsMemoryOrder, "same_answer_from[fortran]"),
]


@pytest.mark.parametrize(("kind", "name"), BROKEN)
def test_check_catches_what_it_guards(kind, name):
    check = dict(contract_checks(kind()))[name]
    with pytest.raises(AssertionError):
        check(kind())


def test_every_check_has_a_culprit():
    names = {name.partition("[")[0] for name, _ in contract_checks(SmallRidge())}
    assert names == {name.partition("[")[0] for _, name in BROKEN}


@pytest.mark.parametrize("estimator", [SmallRidge(), SmallScaler(), SmallCentroids()])
def test_check_contract_accepts_sound_estimators(estimator):
    check_contract(estimator)


def test_check_contract_lists_all_failures():
    with pytest.raises(ContractError) as caught:
        check_contract(Undocumented())
    text = str(caught.value)
    assert text.startswith("Undocumented breaks the contract:")
    assert "- parameters_are_documented:" in text
    assert "- example_runs:" in text
    assert "pickles" not in text


def test_exemption_covers_its_failure():
    class Exempted(IgnoresWeights):
        __doc__ = SmallRidge.__doc__

    with pytest.raises(ContractError, match="- weights_equal_repeats:"):
        check_contract(Exempted(), exempt={"pickles": "a local class cannot be pickled"})
    reasons = {"weights_equal_repeats": "a test", "pickles": "a local class cannot be pickled"}
    check_contract(Exempted(), exempt=reasons)


def test_exemption_no_longer_needed_is_reported():
    with pytest.raises(ContractError, match=r"pickles: passes, so its exemption must go \(once\)"):
        check_contract(SmallRidge(), exempt={"pickles": "once"})


def test_containers_follow_the_tags():
    names = [name for name, _ in contract_checks(SmallRidge())]
    assert "same_answer_from[csr]" in names
    assert "same_answer_from[csr]" not in [name for name, _ in contract_checks(SmallScaler())]


def test_sparse_is_tried_only_where_accepted():
    class Dense(RegressorMixin, BaseEstimator):
        def fit(self, X: Any, y: Any) -> Any:
            self.mean_ = float(self._read(X, y, reset=True, accept_sparse=True).y.mean())
            return self

    check = dict(contract_checks(Dense()))["impossible_data_are_refused"]
    with pytest.raises(AssertionError, match="sparse X: accepted"):
        check(Dense())
