"""The estimator contract beyond scikit-learn's `check_estimator`, as checks anyone can run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from stylobate.base import BaseEstimator
from stylobate.testing import construction, refusals, sameness
from stylobate.testing.containers import containers

Check = Callable[[BaseEstimator], None]

CHECKS: tuple[Check, ...] = (
    construction.constructor_only_stores,
    construction.parameters_are_constrained,
    construction.parameters_are_documented,
    construction.example_runs,
    construction.bad_parameters_are_refused,
    construction.fit_returns_self,
    construction.representations_work,
    refusals.impossible_data_are_refused,
    refusals.odd_data_get_an_answer,
    refusals.unfitted_is_refused,
    sameness.names_are_remembered,
    sameness.fitting_twice_gives_same_bits,
    sameness.input_is_left_alone,
    sameness.pickles,
    sameness.threads_give_same_bits,
    sameness.weights_equal_repeats,
)

OF_THE_CLASS: tuple[Check, ...] = (
    construction.constructor_only_stores,
    construction.parameters_are_constrained,
    construction.parameters_are_documented,
    construction.example_runs,
)


# what does not apply where X is a column of texts
TABLES_ONLY = (
    refusals.impossible_data_are_refused,
    refusals.odd_data_get_an_answer,
    sameness.names_are_remembered,
)


class ContractError(AssertionError):
    """An estimator breaks the contract; the text lists every check it fails."""


def contract_checks(estimator: BaseEstimator) -> Iterator[tuple[str, Check]]:
    """Every check that applies to an estimator, with its name.

    Parameters
    ----------
    estimator : BaseEstimator
        Its tags decide which containers are tried.

    Yields
    ------
    name : str
        ``"pickles"``, ``"same_answer_from[polars]"``, …
    check : callable
        Takes the estimator; raises AssertionError if it fails.
    """
    if not estimator._tags().two_d:  # its `fit` takes labels alone
        yield from ((check.__name__, check) for check in OF_THE_CLASS)
        return
    text = estimator._tags().text
    for check in CHECKS:
        if not (text and check in TABLES_ONLY):
            yield check.__name__, check
    if text:
        return
    for container in containers(sparse=estimator._tags().sparse):
        name = f"same_answer_from[{container}]"
        yield name, partial(sameness.same_answer_from, container)


def check_contract(estimator: BaseEstimator, *, exempt: Mapping[str, str] | None = None) -> None:
    """Run every check on an estimator and report all that fail.

    Parameters
    ----------
    estimator : BaseEstimator
        An instance; it is cloned, never fitted itself.
    exempt : mapping of str to str, optional
        Names of checks that may fail, each with the reason. One that passes after all is reported
        as well, so that exemptions do not outlive their reason.

    Raises
    ------
    ContractError
        If any check fails.

    Examples
    --------
    >>> from stylobate.base import BaseEstimator
    >>> class Careless(BaseEstimator):
    ...     def __init__(self, alpha=1.0):
    ...         self.alpha = float(alpha)
    ...     def fit(self, X, y=None):
    ...         return self
    >>> check_contract(Careless())
    Traceback (most recent call last):
        ...
    stylobate.testing.contract.ContractError: Careless breaks the contract:
    ...
    """
    reasons = exempt or {}
    failures = []
    for name, check in contract_checks(estimator):
        try:
            check(estimator)
        except Exception as error:
            if name not in reasons:
                failures.append(f"- {name}: {error}")
        else:
            if name in reasons:
                failures.append(f"- {name}: passes, so its exemption must go ({reasons[name]})")
    if failures:
        title = f"{type(estimator).__name__} breaks the contract:"
        raise ContractError("\n".join([title, *failures]))
