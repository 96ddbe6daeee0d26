"""scikit-learn's own tests, chosen by a hash of their names, with our names in place of theirs.

Of every area so many tests are run that all together take less than a minute on two cores;
STYLOBATE_ALL_CASES runs all of them. A test that fails stands in `expected_failures.txt` with
the reason; an entry none of whose tests fails any more has to go.
"""

import os
from importlib.metadata import version
from pathlib import Path

import pytest
from peer_plugin import AREAS
from peer_runs import Outcomes, run_areas

COUNT = 120
EVERY = 10**6
GROUPS = {
    "linear": ("linear_model", "neighbors", "tree", "svm"),
    "together": ("ensemble", "model_selection", "compose"),
    "columns": ("preprocessing", "metrics", "feature_selection", "feature_extraction"),
    "groups": ("cluster", "decomposition", "manifold", "others"),
}
NOT_THE_CONTRACT = (
    "Regex pattern did not match",  # the right class of error or warning in other words
    "has no attribute '_",  # a private part of scikit-learn's
)
WRITTEN_FOR = "1.9"  # the tests of other versions have other names

pytestmark = pytest.mark.skipif(
    not version("scikit-learn").startswith(WRITTEN_FOR + "."),
    reason=f"expected_failures.txt is of the tests of scikit-learn {WRITTEN_FOR}",
)


def expected() -> dict[str, str]:
    """Functions of scikit-learn's tests that fail with our names, and why."""
    lines = (Path(__file__).parent / "expected_failures.txt").read_text("utf-8").splitlines()
    pairs = (line.split(" | ", 1) for line in lines if line and not line.startswith("#"))
    return {name.strip(): reason.strip() for name, reason in pairs}


def function_of(name: str) -> str:
    """A test's name without its parameters."""
    return name.split("[")[0]


def failed(outcomes: Outcomes) -> dict[str, str]:
    """Tests that failed by something else than words or private parts, and their errors."""
    return {
        name: error
        for name, (outcome, error, _) in outcomes.items()
        if outcome == "failed" and not any(mark in error for mark in NOT_THE_CONTRACT)
    }


def test_every_area_is_run():
    assert sorted(area for group in GROUPS.values() for area in group) == sorted(AREAS)
    assert all(reason for reason in expected().values())


@pytest.mark.parametrize("group", GROUPS)
def test_passes_with_our_names(group, tmp_path):
    every = "STYLOBATE_ALL_CASES" in os.environ
    outcomes = run_areas(GROUPS[group], EVERY if every else COUNT, tmp_path)
    assert len(outcomes) >= 0.9 * COUNT * len(GROUPS[group])
    known, bad = expected(), failed(outcomes)
    news = {name: error for name, error in bad.items() if function_of(name) not in known}
    assert not news, "\n".join(f"{name}: {error}" for name, error in news.items())
    failing = {function_of(name) for name in bad}
    needless = {function_of(name) for name in outcomes} & set(known) - failing
    assert not needless or every, f"no longer needed in expected_failures.txt: {sorted(needless)}"
