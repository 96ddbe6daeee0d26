"""The report as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from race.results import Bout, Entry, Report, Verdict, install_hint, seconds_text, size_text

_HEAD = ("contender", "best", "median", "calls", "x ours", "+memory", "excess", "counts", "note")
_LEFT = {0, 8}
# cores; less than this is the system's own housekeeping
DISTURBED = 0.15


def render(report: Report) -> str:
    """Write the whole report."""
    lines = [_machine(report)]
    for bout in report.bouts:
        lines += ["", *_bout(bout)]
    if report.interrupted:
        lines += ["", "Interrupted: the above is what was known by then."]
    return "\n".join(lines)


def _machine(report: Report) -> str:
    words = [f"{key} {value}" for key, value in report.machine.items()]
    words.append(f"{report.threads} threads")
    if report.flops_per_second and report.bytes_per_second:
        words.append(f"{report.flops_per_second / 1e9:.0f} GFLOP/s")
        words.append(f"{report.bytes_per_second / 1e9:.1f} GB/s")
    if report.busy:
        words.append("ONE CORE BUSY")
    return ", ".join(words)


def _bout(bout: Bout) -> Iterator[str]:
    size = size_text(bout.size)
    yield f"{bout.workload} · {bout.size_name}" + (f" ({size})" if size else "") + f": {bout.title}"
    ranked = sorted(bout.entries, key=_rank)
    yield from _columns([_HEAD, *(_row(bout, entry) for entry in ranked)])
    if bout.floor is not None:
        yield f"floor  {seconds_text(bout.floor)}{_above_floor(bout)} ({bout.floor_text})"
    for verdict in bout.verdicts:
        yield f"goal   {verdict.goal}: {verdict.reached} - {_met(verdict)}"
    yield from _by_hand(bout)
    if bout.other_cores is not None and bout.other_cores > DISTURBED:
        yield (
            f"NOTE   other processes took {bout.other_cores:.1f} cores meanwhile: "
            "not a quiet machine, repeat before relying on it"
        )


def _rank(entry: Entry) -> tuple[int, float]:
    return (0, entry.best) if entry.best is not None else (1, 0.0)


def _row(bout: Bout, entry: Entry) -> tuple[str, ...]:
    if entry.best is None or entry.median is None:
        return (entry.name, *[""] * 7, outcome(entry))
    ratio = bout.ratio(entry)
    excess = "" if entry.excess is None else f"{entry.excess:.0e}" if entry.excess else "0"
    words = [entry.note, "(reference)" if entry.kind == "reference" else ""]
    if entry.status != "ok":
        words.append(outcome(entry))
    return (
        entry.name,
        seconds_text(entry.best),
        seconds_text(entry.median),
        str(len(entry.times)),
        "" if ratio is None else f"{ratio:.2f}",
        "" if entry.peak_extra_bytes is None else _bytes(entry.peak_extra_bytes),
        excess,
        "yes" if entry.counts else "no",
        " ".join(filter(None, words)),
    )


def outcome(entry: Entry) -> str:
    """Say in a few words why an entry has no time."""
    match entry.status:
        case "missing":
            return f"not installed: {install_hint(entry.package)}"
        case "failed":
            return f"failed: {entry.message}"
        case "over limit":
            return entry.message
        case _:
            return "not run"


def _bytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else "< 1 MB"


def _above_floor(bout: Bout) -> str:
    ours = bout.ours
    if ours is None or ours.best is None or not bout.floor:
        return ""
    return f", ours takes {ours.best / bout.floor:.1f} x that"


def _met(verdict: Verdict) -> str:
    return {True: "met", False: "NOT MET", None: "cannot be told"}[verdict.met]


def _by_hand(bout: Bout) -> Iterator[str]:
    """Name the best reference: what a user could reach without any of the packages."""
    timed = [e for e in bout.entries if e.kind == "reference" and e.counts]
    ranked = sorted(timed, key=_rank)
    ratio = bout.ratio(ranked[0]) if ranked else None
    if ratio is not None:
        yield f"also   {ranked[0].name} takes {ratio:.2f} x our time (a reference, no goal)"


def _columns(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    rows = list(rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    for row in rows:
        cells = (
            cell.ljust(width) if i in _LEFT else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
