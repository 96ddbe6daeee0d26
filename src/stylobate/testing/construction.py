"""Contract, part one: the constructor, its documentation, and refusal of bad parameters."""

from __future__ import annotations

import doctest
import re
import sys
from typing import Any

from stylobate.base import BaseEstimator, clone
from stylobate.base.constraints import Anything
from stylobate.base.parameters import REQUIRED, brief, constraints_of, defaults_of
from stylobate.exceptions import InvalidParameterError
from stylobate.testing.problems import fitted, problem_for


def constructor_only_stores(estimator: BaseEstimator) -> None:
    """Every parameter is kept as the very object given, and nothing else is set."""
    given = {name: object() for name in defaults_of(type(estimator))}
    stored = vars(type(estimator)(**given))
    assert stored.keys() == given.keys(), (
        f"the constructor sets {sorted(stored)}, its parameters are {sorted(given)}"
    )
    changed = [name for name, value in given.items() if stored[name] is not value]
    assert not changed, f"the constructor changes {changed} instead of only storing them"


def parameters_are_constrained(estimator: BaseEstimator) -> None:
    """Every parameter has a constraint in its annotation, and its default satisfies it."""
    defaults = defaults_of(type(estimator))
    for name, constraint in constraints_of(type(estimator)).items():
        assert not isinstance(constraint, Anything), f"parameter {name} has no constraint"
        default = defaults[name]
        assert default is REQUIRED or constraint.accepts(default), (
            f"the default {name}={default!r} is not {constraint.words}"
        )


def parameters_are_documented(estimator: BaseEstimator) -> None:
    """The docstring's Parameters section has an entry for each parameter and no other."""
    section = re.search(
        r"^ *Parameters\n *-{10}\n(.*?)(?=\n *\w+\n *-{3,}|\Z)",
        type(estimator).__doc__ or "",
        re.DOTALL | re.MULTILINE,
    )
    names = set(defaults_of(type(estimator)))
    assert section or not names, "the docstring has no Parameters section"
    entries = re.findall(r"^ *([\w, ]+) : ", section[1], re.MULTILINE) if section else []
    documented = {name.strip() for entry in entries for name in entry.split(",")}
    assert documented == names, (
        f"documented parameters are {sorted(documented)}, the constructor's {sorted(names)}"
    )


def example_runs(estimator: BaseEstimator) -> None:
    """The class docstring has an example, and it prints what it says."""
    kind = type(estimator)
    names = vars(sys.modules[kind.__module__])
    test = doctest.DocTestParser().get_doctest(
        kind.__doc__ or "", dict(names), kind.__name__, None, None
    )
    assert test.examples, "the docstring has no >>> example"
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    result = runner.run(test, out=report.append)
    assert result.failed == 0, "the example in the docstring fails:\n" + "".join(report)


def bad_parameters_are_refused(estimator: BaseEstimator) -> None:
    """`fit` refuses values outside a constraint, naming class, parameter, allowed and given."""
    problem = problem_for(estimator)
    for name, constraint in constraints_of(type(estimator)).items():
        for value in constraint.counterexamples():
            message = _refusal(clone(estimator).set_params(**{name: value}), problem.X, problem.y)
            assert message is not None, f"fit accepts {name}={value!r}"
            for part in (type(estimator).__name__, name, constraint.words, brief(value)):
                assert part in message, f"the refusal of {name}={value!r} lacks {part!r}: {message}"


def _refusal(estimator: Any, X: Any, y: Any) -> str | None:
    try:
        estimator.fit(X, y)
    except InvalidParameterError as error:
        return str(error)
    except Exception as error:
        raise AssertionError(f"{estimator}: {type(error).__name__} ({error}) escapes") from error
    return None


def fit_returns_self(estimator: BaseEstimator) -> None:
    """`fit` returns the estimator and leaves its parameters as they were."""
    problem = problem_for(estimator)
    twin = clone(estimator)
    before = twin.get_params(deep=False)
    assert twin.fit(problem.X, problem.y) is twin, "fit does not return self"
    after = twin.get_params(deep=False)
    changed = [name for name in before if before[name] is not after[name]]
    assert not changed, f"fit changes the parameters {changed}"


def representations_work(estimator: BaseEstimator) -> None:
    """The representation names the class, and HTML can be made before and after `fit`."""
    problem = problem_for(estimator)
    assert repr(estimator).startswith(type(estimator).__name__ + "("), repr(estimator)
    for each in (clone(estimator), fitted(estimator, problem.X, problem.y)):
        html = each._repr_html_()
        assert type(estimator).__name__ in html, "the HTML does not show the class"
