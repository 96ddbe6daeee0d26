"""Every public estimator × every check of scikit-learn and of our contract.

Estimators are found, not listed. An exemption carries its reason, must be one that scikit-learn
grants its own class of the same name (to some class, if it has none of that name), and fails here
the day it is no longer needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any
from unittest import SkipTest

import pytest
from sklearn.linear_model import Ridge
from sklearn.utils import discovery, get_tags
from sklearn.utils.estimator_checks import estimator_checks_generator

from stylobate.exceptions import StylobateError
from stylobate.testing import all_estimators, contract_checks
from stylobate.testing.discovery import example_of

Exemptions = Mapping[str, Mapping[str, str]]

# {estimator: {check of scikit-learn: reason}}
_REPEATS = "a row of weight 3 is one step three times as long, not three steps"
_IN_PLACE = "the estimators in its list are fitted themselves, not clones of them"
_DRAWN = "rows are drawn at random: other rows for other numbers of rows"
_LEAVES = "min_samples_leaf counts rows, not weights"
_BY_DRAWS = (
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "ConformalQuantileRegressor",
    "IsolationForest",
    "RandomForestClassifier",
    "RandomForestRegressor",
)
_K_MEANS = ("BisectingKMeans", "KMeans", "MiniBatchKMeans")
_WIDTH = "gamma='scale' asks the variance of the rows, whatever they weigh, as in scikit-learn"
_MASK = "rows whose weight is not positive are left out, as in scikit-learn"
_KERNEL_MACHINES = ("NuSVC", "NuSVR", "OneClassSVM", "SVC", "SVR")
_BY_STEPS = ("Perceptron", "SGDClassifier", "SGDRegressor")
_BATCHES = "rows are cut into batches at random: other batches for other numbers of rows"
_BY_BATCHES = ("TabularNetClassifier", "TabularNetRegressor")
SCIKIT_LEARN_EXEMPT: Exemptions = (
    {
        name: {
            "check_sample_weight_equivalence_on_dense_data": _REPEATS,
            "check_sample_weight_equivalence_on_sparse_data": _REPEATS,
        }
        for name in _BY_STEPS
    }
    | {
        name: {
            "check_sample_weight_equivalence_on_dense_data": _DRAWN,
            "check_sample_weight_equivalence_on_sparse_data": _DRAWN,
        }
        for name in (*_BY_DRAWS, *_K_MEANS)
    }
    | {name: {"check_sample_weight_equivalence_on_dense_data": _BATCHES} for name in _BY_BATCHES}
    | {
        name: {
            "check_sample_weight_equivalence_on_dense_data": _WIDTH,
            "check_sample_weight_equivalence_on_sparse_data": _WIDTH,
        }
        | ({"check_class_weight_classifiers": "ν has no cost to weigh"} if name == "NuSVC" else {})
        for name in _KERNEL_MACHINES
    }
    | {
        "HistGradientBoostingClassifier": {
            "check_sample_weight_equivalence_on_dense_data": _LEAVES
        },
        "TunedThresholdClassifierCV": {
            "check_classifiers_train": "the threshold it tunes is not where margins change sign"
        },
        "SelfTrainingClassifier": {
            "check_non_transformer_estimators_n_iter": "no rounds where every row has a label"
        },
        "FeatureUnion": {"check_estimators_overwrite_params": _IN_PLACE},
        "Pipeline": {"check_estimators_overwrite_params": _IN_PLACE},
    }
)
# {estimator: {check of stylobate.testing: reason}}
CONTRACT_EXEMPT: Exemptions = (
    {name: {"weights_equal_repeats": _REPEATS} for name in _BY_STEPS}
    | {name: {"weights_equal_repeats": _BATCHES} for name in _BY_BATCHES}
    | {name: {"weights_equal_repeats": _DRAWN} for name in (*_BY_DRAWS, "MiniBatchKMeans")}
    | {
        name: {"weights_equal_repeats": _WIDTH, "impossible_data_are_refused": _MASK}
        for name in _KERNEL_MACHINES
    }
    | {
        "SVCCV": {"impossible_data_are_refused": _MASK},
        "DBSCAN": {
            "impossible_data_are_refused": "negative weights keep rows from being core, as in "
            "scikit-learn"
        },
        "HDBSCAN": {
            "impossible_data_are_refused": "infinite and missing values have labels, -2 and -3, as "
            "in scikit-learn"
        },
        "OPTICS": {"odd_data_get_an_answer": "the first row is reached from nowhere, at infinity"},
        "ColumnTransformer": {
            "names_are_remembered": "columns of a frame are found by name: in any order"
        },
        "FunctionTransformer": dict.fromkeys(
            ("impossible_data_are_refused", "names_are_remembered"),
            "with validate=False, the default, whatever comes is passed on, as in scikit-learn",
        ),
        **dict.fromkeys(
            ("DummyClassifier", "DummyRegressor"),
            dict.fromkeys(
                ("impossible_data_are_refused", "names_are_remembered"),
                "they never look at X but to count its rows, as in scikit-learn",
            ),
        ),
        "HistGradientBoostingClassifier": {"weights_equal_repeats": _LEAVES},
        "HistGradientBoostingRegressor": {"weights_equal_repeats": _LEAVES},
        "QuantileTransformer": dict.fromkeys(
            (f"same_answer_from[{kind}]" for kind in ("csr", "csc", "csr matrix")),
            "negative entries of sparse columns are refused, as in scikit-learn",
        ),
    }
)

ESTIMATORS = [example_of(kind) for kind in all_estimators()]


def name_of(check: Any) -> str:
    return name_of(check.func) if isinstance(check, partial) else str(check.__name__)


def scikit_learn_checks(estimator: Any) -> Iterator[tuple[Any, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "does not inherit": that is the point
        yield from estimator_checks_generator(estimator)


def refuse_any(failures: list[Exception], who: str) -> None:
    """Show every failure, each with its own traceback, or none."""
    if failures:
        raise ExceptionGroup(f"{who}: {len(failures)} checks failed", failures)


@pytest.mark.filterwarnings("ignore:.*No features were selected")  # true of the random data used
# scikit-learn's own tests of its estimators ignore these as well
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
# graphs of neighbours in several parts are told, as in scikit-learn
@pytest.mark.filterwarnings("ignore:.*(not fully connected|neighbors graph is|of neighbours has)")
# a search tells of the fits that failed, as scikit-learn's does
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the (test|train) scores are non-finite")
@pytest.mark.filterwarnings("ignore:R.2 score is not well-defined")
@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.filterwarnings("ignore:Bins whose width")  # scikit-learn's warns there too
@pytest.mark.filterwarnings("ignore:Label .* is present in all")  # of one class: as theirs
@pytest.mark.filterwarnings("ignore:y contains no unlabeled samples")  # as theirs
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_scikit_learn_check(estimator):
    """One case per estimator: nine thousand take longer to count than to run."""
    exempt = SCIKIT_LEARN_EXEMPT.get(type(estimator).__name__, {})  # each still needed: see below
    failures, passed = [], 0
    for each, check in scikit_learn_checks(estimator):
        if name_of(check) in exempt:
            continue
        try:
            check(each)
            passed += 1
        except SkipTest:
            continue
        except Exception as error:
            error.add_note(f"in scikit-learn's {name_of(check)}")
            failures.append(error)
    refuse_any(failures, type(estimator).__name__)
    assert passed


# graphs of neighbours in several parts are told, as in scikit-learn
@pytest.mark.filterwarnings("ignore:.*(not fully connected|neighbors graph is|of neighbours has)")
# a search tells of the fits that failed, as scikit-learn's does
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the (test|train) scores are non-finite")
@pytest.mark.filterwarnings("ignore:R.2 score is not well-defined")
@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.filterwarnings("ignore:y contains no unlabeled samples")  # as theirs
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_contract_check(estimator, in_sample):
    who = type(estimator).__name__
    failures = []
    for name, check in contract_checks(estimator):
        if in_sample(f"{who}-{name}", 2):
            try:
                check_contract(estimator, name, check)
            except Exception as error:
                error.add_note(f"in {name} of the contract")
                failures.append(error)
    refuse_any(failures, who)


def check_contract(estimator: Any, name: str, check: Any) -> None:
    reason = CONTRACT_EXEMPT.get(type(estimator).__name__, {}).get(name)
    if reason is None:
        check(estimator)
        return
    try:
        check(estimator)
    except (AssertionError, StylobateError):
        return
    raise AssertionError(f"passes, so its exemption must go ({reason})")


def still_needed(estimator: Any, check_name: str) -> bool:
    """Whether some variant of a check of scikit-learn's fails."""
    variants = [
        (each, check)
        for each, check in scikit_learn_checks(estimator)
        if name_of(check) == check_name
    ]
    assert variants, f"scikit-learn has no check {check_name} for {estimator}"
    for each, check in variants:
        try:
            check(each)
        except Exception:
            return True
    return False


@pytest.mark.parametrize("name", SCIKIT_LEARN_EXEMPT)
def test_exemptions_from_scikit_learns_checks(name):
    from sklearn.utils._test_common.instance_generator import PER_ESTIMATOR_XFAIL_CHECKS

    granted = {kind.__name__: set(each) for kind, each in PER_ESTIMATOR_XFAIL_CHECKS.items()}
    if name in scikit_learns_classes():
        theirs = granted.get(name, set())
    else:  # a class they do not have: what they grant to some class of theirs
        theirs = set().union(*granted.values())
    estimator = next(each for each in ESTIMATORS if type(each).__name__ == name)
    for check in SCIKIT_LEARN_EXEMPT[name]:
        assert check in theirs, f"scikit-learn's own {name} passes {check}"
        assert still_needed(estimator, check), f"{name} passes {check}: remove its exemption"


@pytest.mark.parametrize("exemptions", [SCIKIT_LEARN_EXEMPT, CONTRACT_EXEMPT])
def test_exemptions_name_estimators_that_exist(exemptions):
    assert exemptions.keys() <= {type(each).__name__ for each in ESTIMATORS}


@cache
def scikit_learns_classes() -> dict[str, Any]:
    return dict(discovery.all_estimators())


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_tags_agree_with_scikit_learns_class(estimator):
    """What scikit-learn's estimator of that name takes, ours takes as well."""
    theirs = scikit_learns_classes().get(type(estimator).__name__)
    if theirs is None:
        pytest.skip("scikit-learn has no estimator of this name")
    # what has no default is given: a model to both
    given = estimator.get_params(deep=False)
    inner = {"estimator": Ridge()} if "estimator" in given else {}
    lists = ("steps", "transformer_list", "transformers", "estimators")
    inner |= {name: given[name] for name in lists if name in given}
    spaces = {"param_grid", "param_distributions"} & set(given)
    inner |= {name: {} for name in spaces}
    ours, expected = (get_tags(each) for each in (estimator, theirs(**inner)))
    assert ours.estimator_type == expected.estimator_type
    # theirs of two blocks say that y may be left out, and refuse to go without
    if not type(estimator).__module__.startswith("stylobate.cross_decomposition"):
        assert ours.target_tags.required == expected.target_tags.required
    assert ours.target_tags.multi_output or not expected.target_tags.multi_output
    assert ours.input_tags.sparse or not expected.input_tags.sparse
    assert ours.input_tags.allow_nan or not expected.input_tags.allow_nan
    assert ours.transformer_tags is not None or expected.transformer_tags is None
