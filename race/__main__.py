"""``python -m race``: run workloads and report.

Examples
--------
``python -m race``                          every workload, small and standard
``python -m race ols ridge --busy``         two of them, with one core loaded
``python -m race --list``                   what there is
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from race.busy import busy_core
from race.floor import measure_apart
from race.results import Report, install_hint, size_text, write_json
from race.run import Settings, run_bout
from race.table import render
from race.workload import FOLDER, Contender, Workload, discover, load

_SIZES = ("small", "standard", "large")


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    p = argparse.ArgumentParser(prog="python -m race", description="Race against the peers.")
    p.add_argument("names", nargs="*", help="workloads; all if none is named")
    p.add_argument("--list", action="store_true", help="list workloads and contenders, run nothing")
    p.add_argument(
        "--sizes",
        type=_words,
        default=["small", "standard"],
        help="of small, standard, large, with commas (default: small,standard)",
    )
    p.add_argument(
        "--contenders",
        type=_words,
        metavar="A,B",
        help="only these, by name or package, with commas",
    )
    p.add_argument(
        "--repeats",
        type=_positive_int,
        default=Settings.repeats,
        help="turns per contender (default: %(default)s)",
    )
    p.add_argument(
        "--threads",
        type=_positive_int,
        default=Settings.threads,
        help="threads for everybody (default: %(default)s)",
    )
    p.add_argument(
        "--limit",
        type=float,
        default=Settings.limit,
        help="seconds after which a call is ended (default: %(default)s)",
    )
    p.add_argument(
        "--budget",
        type=float,
        default=Settings.budget,
        help="seconds of calls after which a contender has no further turn (default: %(default)s)",
    )
    p.add_argument("--seed", type=int, default=Settings.seed, help="of the data")
    p.add_argument("--busy", action="store_true", help="load one core during the run")
    p.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    p.add_argument("--picture", type=Path, metavar="FILE", help="draw the results there")
    p.add_argument("--folder", type=Path, default=FOLDER, help="where workloads are looked for")
    return p


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _positive_int(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {value}")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    p = parser()
    options = p.parse_args(arguments)
    found = discover(options.folder)
    for name in options.names:
        if name not in found:
            p.error(f"no workload {name!r}; there are: {', '.join(found)}")
    for size in options.sizes:
        if size not in _SIZES:
            p.error(f"no size {size!r}; there are: {', '.join(_SIZES)}")
    chosen = {name: load(found[name]) for name in options.names or found}
    if options.list:
        print("\n".join(line for workload in chosen.values() for line in _describe(workload)))
        return 0
    fields = {name: _field(w, options.contenders) for name, w in chosen.items()}
    if options.contenders and not any(fields.values()):
        p.error(f"no contender called {', '.join(options.contenders)}; see --list")
    settings = Settings(
        options.repeats, options.limit, options.budget, options.threads, options.seed
    )
    report = Report(_machine(), options.threads, options.busy, options.repeats)
    try:
        _run(report, found, chosen, fields, options.sizes, settings)
    except KeyboardInterrupt:
        report.interrupted = True
    _progress("")
    print(render(report))
    _write(report, options.json, options.picture)
    return 130 if report.interrupted else 0


def _run(
    report: Report,
    found: dict[str, Path],
    chosen: dict[str, Workload],
    fields: dict[str, tuple[Contender, ...]],
    sizes: Sequence[str],
    settings: Settings,
) -> None:
    _progress("measuring the machine")
    rates = measure_apart(settings.threads)
    report.flops_per_second = rates["flops_per_second"]
    report.bytes_per_second = rates["bytes_per_second"]
    with busy_core(report.busy):
        for name, workload in chosen.items():
            for size in (s for s in sizes if s in workload.sizes and fields[name]):
                run_bout(found[name], workload, size, fields[name], settings, report, _progress)


def _write(report: Report, json_file: Path | None, picture: Path | None) -> None:
    if json_file:
        write_json(report, json_file)
    if picture:
        from race.picture import draw

        draw(report, picture)


def _field(workload: Workload, wanted: Sequence[str] | None) -> tuple[Contender, ...]:
    """Contenders that were asked for; all if nobody was named."""
    if wanted is None:
        return workload.contenders
    return tuple(c for c in workload.contenders if c.name in wanted or c.package in wanted)


def _describe(workload: Workload) -> list[str]:
    lines = [f"{workload.name}: {workload.title}"]
    for name, size in workload.sizes.items():
        lines.append(f"  {name}: " + size_text(size))
    for c in workload.contenders:
        absent = importlib.util.find_spec(c.package) is None
        hint = f" (not installed: {install_hint(c.package)})" if absent else ""
        lines.append(f"  - {c.name}{hint}")
    return lines


def _machine() -> dict[str, str]:
    return {
        "machine": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
    }


def _progress(line: str) -> None:
    """Show what is going on, on one line, to a person only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
