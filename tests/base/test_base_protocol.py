"""The small estimators keep scikit-learn's contract and ours."""

from __future__ import annotations

import warnings

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator
from small_estimators import SmallCentroids, SmallRidge, SmallScaler

from stylobate.testing import contract_checks

ESTIMATORS = [SmallRidge(), SmallScaler(), SmallCentroids()]


def scikit_learn_checks():
    cases = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that they do not inherit is the point
        for estimator in ESTIMATORS:
            for numbered, (each, check) in enumerate(estimator_checks_generator(estimator)):
                name = getattr(check.func, "__name__", None) or check.func.func.__name__
                label = f"{type(estimator).__name__}-{name}-{numbered}"
                cases.append(pytest.param(each, check, id=label))
    return cases


@pytest.mark.parametrize(("estimator", "check"), scikit_learn_checks())
def test_scikit_learn_check(estimator, check):
    check(estimator)


OUR_CHECKS = [
    pytest.param(estimator, check, id=f"{type(estimator).__name__}-{name}")
    for estimator in ESTIMATORS
    for name, check in contract_checks(estimator)
]


@pytest.mark.parametrize(("estimator", "check"), OUR_CHECKS)
def test_contract_check(estimator, check):
    check(estimator)
