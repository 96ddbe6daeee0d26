"""Judging and goals on made-up times."""

from __future__ import annotations

import math

import pytest

from race.goals import Faster, Within
from race.quality import judge
from race.results import Bout, Entry, Report, seconds_text
from race.table import render


def entry(name: str, seconds: float | None, quality: float = 1.0, **more: object) -> Entry:
    kind = "ours" if name == "ours" else "peer"
    made = Entry(name, name.split()[0], kind, quality=quality)
    if seconds is not None:
        made.status, made.times = "ok", [seconds]
    for key, value in more.items():
        setattr(made, key, value)
    return made


def bout(*entries: Entry) -> Bout:
    made = Bout("w", "a title", "standard", {"rows": 10}, 1e-6, list(entries))
    judge(made)
    return made


def test_counting_is_relative_to_the_best() -> None:
    made = bout(
        entry("ours", 1.0, 100.0),
        entry("close", 1.0, 100.0 + 0.99e-4),
        entry("off", 1.0, 100.0 + 1.01e-4),
        entry("lost", 1.0, math.inf),
        entry("nan", 1.0, math.nan),
    )
    assert [e.counts for e in made.entries] == [True, True, False, False, False]


def test_negative_and_zero_qualities() -> None:
    made = bout(entry("ours", 1.0, -2.0), entry("worse", 1.0, -2.0 + 3e-6))
    assert [e.counts for e in made.entries] == [True, False]
    assert all(e.counts for e in bout(entry("ours", 1.0, 0.0), entry("b", 1.0, 0.0)).entries)


def test_a_failed_contender_does_not_set_the_best() -> None:
    made = bout(entry("ours", 1.0, 5.0), entry("broken", 1.0, 1.0, status="failed"))
    assert [e.counts for e in made.entries] == [True, False]


@pytest.mark.parametrize(("times", "met"), [(3.9, True), (4.0, True), (4.1, False)])
def test_faster_takes_the_fastest_that_counts(times: float, met: bool) -> None:
    made = bout(
        entry("ours", 0.5),
        entry("sklearn svd", 9.0),
        entry("sklearn cholesky", 2.0),
        entry("cheat", 0.1, quality=2.0),
        entry("by hand", 0.2, kind="reference"),
    )
    assert Faster("peers", times).check(made).met is met
    verdict = Faster("sklearn", times).check(made)
    assert verdict.met is met
    assert verdict.reached == "reached 4.00 (sklearn cholesky)"


@pytest.mark.parametrize(("times", "met"), [(100.0, True), (300.0, None)])
def test_nobody_finishing_gives_a_lower_bound(times: float, met: bool | None) -> None:
    late = entry("late", None, status="over limit", limit=120.0)
    assert Faster("peers", times).check(bout(entry("ours", 1.0), late)).met is met


def test_ours_not_counting_meets_nothing() -> None:
    made = bout(entry("ours", 0.001, quality=2.0), entry("numpy", 1.0))
    assert Faster("peers", 1.0).check(made).met is False
    assert Within("numpy", 1.0).check(made).met is False


@pytest.mark.parametrize(("ours", "met"), [(0.11, True), (0.14, False), (0.05, True)])
def test_within_is_a_difference(ours: float, met: bool) -> None:
    made = bout(entry("ours", ours), entry("numpy", 0.1))
    assert Within("numpy", 0.03).check(made).met is met


def test_missing_peers_are_named() -> None:
    made = bout(entry("ours", 1.0), entry("a", 3.0), entry("sklearnex", None, status="missing"))
    assert Faster("peers", 2.0).check(made).reached == "reached 3.00 (a); not installed: sklearnex"


def test_table_shows_ratio_hint_and_goal() -> None:
    made = bout(entry("ours", 0.5), entry("a", 2.0), entry("torch", None, status="missing"))
    made.verdicts = [Faster("a", 5.0).check(made)]
    text = render(Report({}, threads=2, busy=True, repeats=1, bouts=[made], interrupted=True))
    row = next(line.split() for line in text.splitlines() if line.startswith("a "))
    assert row[:6] == ["a", "2.00", "s", "2.00", "s", "1"]
    assert row[6] == "4.00"
    assert "not installed: pip install '.[race]'" in text
    assert "goal   x a ≥ 5: reached 4.00 (a) - NOT MET" in text
    assert "ONE CORE BUSY" in text
    assert "Interrupted" in text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(123.4, "123 s"), (1.234, "1.23 s"), (0.0456, "45.6 ms"), (8.9e-5, "89.0 µs"), (0.0, "0 ns")],
)
def test_seconds_have_three_digits(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


def test_as_good_is_judged_pair_by_pair() -> None:
    from scipy.stats import t

    from race.goals import AsGood, noise

    theirs = [0.80, 0.82, 0.81, 0.79, 0.83]
    apart = [0.004, 0.006, 0.005, 0.005, 0.005]
    spread = 0.5e-6  # the variance of these differences
    assert noise(apart) == pytest.approx(t.ppf(0.975, 4) * (0.45 * spread) ** 0.5)
    lower = [a - b for a, b in zip(theirs, apart, strict=True)]
    noisy = [a + b for a, b in zip(theirs, [-0.05, 0.04, -0.03, 0.02, -0.01], strict=True)]
    rival = entry("sklearn", 2.0, evidence={"steady": theirs, "noisy": theirs})

    def verdict(**evidence: list[float]) -> object:
        return AsGood("sklearn").check(bout(entry("ours", 1.0, evidence=evidence), rival))

    assert verdict(steady=theirs, noisy=noisy).met is True
    found = verdict(steady=lower, noisy=theirs)
    assert found.met is False
    assert found.reached == "worse: steady by 0.005"
    assert verdict(steady=theirs).reached == "worse: noisy is missing"
    assert AsGood("other").check(bout(entry("ours", 1.0), rival)).met is None
