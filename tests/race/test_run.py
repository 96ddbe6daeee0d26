"""One run of the tiny workload, looked at from all sides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from race.results import Bout, Entry, Report
from race.run import Settings, run_bout
from race.workload import load

REPEATS = 2


@pytest.fixture(scope="module")
def report(tiny_file: Path) -> Report:
    workload = load(tiny_file)
    report = Report({}, threads=1, busy=False, repeats=REPEATS)
    report.flops_per_second = report.bytes_per_second = 1e9
    settings = Settings(repeats=REPEATS, limit=3.0, threads=1, seed=7)
    run_bout(tiny_file, workload, "standard", workload.contenders, settings, report)
    return report


@pytest.fixture(scope="module")
def bout(report: Report) -> Bout:
    return report.bouts[0]


@pytest.fixture(scope="module")
def entries(bout: Bout) -> dict[str, Entry]:
    return {e.name: e for e in bout.entries}


def test_fast_but_wrong_does_not_count(entries: dict[str, Entry]) -> None:
    wrong, ours = entries["wrong"], entries["ours"]
    assert wrong.status == ours.status == "ok"
    assert min(wrong.times) < min(ours.times)
    assert not wrong.counts
    assert ours.counts


def test_quality_is_that_of_the_data_everybody_got(entries: dict[str, Entry]) -> None:
    x = np.random.default_rng(7).standard_normal(1000)
    assert entries["mean"].quality == pytest.approx(x.var() * len(x), rel=1e-12)
    excess = ((x - 0.5) ** 2).sum() / (x.var() * len(x)) - 1
    assert entries["wrong"].excess == pytest.approx(excess, rel=1e-9)
    assert entries["mean"].note == f"m = {x.mean():.3f}"


def test_not_a_number_never_counts(entries: dict[str, Entry]) -> None:
    assert entries["nan"].status == "ok"
    assert not entries["nan"].counts


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("absent", "missing", "a_package_nobody_has"),
        ("fails", "failed", "ValueError: first line"),
        ("dies", "failed", "the process ended with code 3"),
        ("endless", "over limit", "> 3 s"),
    ],
)
def test_what_goes_wrong_is_told_in_one_line(
    entries: dict[str, Entry], name: str, status: str, message: str
) -> None:
    entry = entries[name]
    assert (entry.status, entry.message) == (status, message)
    assert not entry.counts
    assert entry.times == []


def test_printing_does_not_disturb(entries: dict[str, Entry]) -> None:
    assert entries["prints"].counts


def test_turns_are_interleaved_and_rotate(bout: Bout) -> None:
    healthy = ["ours", "mean", "wrong", "nan", "prints", "hungry"]
    assert bout.order == healthy + healthy[1:] + healthy[:1]


def test_peak_memory_is_that_of_the_call(entries: dict[str, Entry]) -> None:
    hungry, mean = entries["hungry"], entries["mean"]
    assert hungry.peak_extra_bytes is not None
    assert mean.peak_extra_bytes is not None
    assert hungry.peak_extra_bytes == pytest.approx(64e6, rel=0.1)
    assert mean.peak_extra_bytes < 8e6


def test_floor_and_goals(bout: Bout) -> None:
    assert bout.floor == pytest.approx(8000 / 1e9)
    faster, within = bout.verdicts
    # ours sleeps 50 ms, so the mean without a nap is faster: a goal of 2 cannot be met
    assert faster.met is False
    assert "a_package_nobody_has" in faster.reached
    assert within.met is True


def test_a_contender_over_budget_has_one_turn(tiny_file: Path) -> None:
    workload = load(tiny_file)
    field = tuple(workload.contender(n) for n in ("ours", "mean"))
    report = Report({}, threads=1, busy=False, repeats=3)
    settings = Settings(repeats=3, budget=0.04, threads=1)
    bout = run_bout(tiny_file, workload, "small", field, settings, report)
    assert bout.order.count("ours") == 1
    assert bout.verdicts == []  # goals are stated for the standard size
