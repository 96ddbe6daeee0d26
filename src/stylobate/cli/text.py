"""What `stylobate fit` prints: at most 80 columns, plain characters."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path

from stylobate.cli.fitting import FitReport

WIDTH = 80


def report_text(report: FitReport) -> str:
    """The report as paragraphs: data, summary, certificate, solver, influential rows."""
    parts = [_head(report), str(report.summary), _certificate(report), _solver(report)]
    if report.worst is None:
        why = "Influence of rows is that of least squares: there is none with a penalty."
        if report.alpha is None:
            why = "Influence of single rows is not told: the table was read in batches."
        parts.append(_wrapped(why))
    else:
        numbered = replace(report.worst, rows=report.worst.rows + 1)  # as people count
        parts.append(f"{numbered}\nRow 1 is the first one below the header.")
    parts += [_wrapped(f"Warning: {warning}") for warning in report.warnings]
    return "\n\n".join(parts)


def _head(report: FitReport) -> str:
    design = report.design
    used = design.n_used
    count = f"{used} rows" if used != 1 else "1 row"
    lines = [
        f"{Path(report.source).name}: {design.target} from {', '.join(design.features)} ({count}).",
        *design.remarks,
    ]
    return "\n".join(map(_wrapped, lines))


def _certificate(report: FitReport) -> str:
    verdict, *numbers = str(report.model.certificate_).splitlines()
    return "\n".join([_wrapped(verdict), *numbers])


def _solver(report: FitReport) -> str:
    model = report.model
    lines = [f"Solver: {model.solver_}. Why: {model.solver_reason_}."]
    scores = getattr(model, "cv_scores_", None)
    if scores is not None:
        lines.append(
            f"Penalty: alpha = {report.alpha:g}, the best of {len(scores)} by leave-one-out "
            f"(mean squared error {-scores.max():.6g})."
        )
    elif report.choice is not None:
        lines.append(report.choice)
    elif report.alpha is not None:
        lines.append(f"Penalty: alpha = {report.alpha:g}, as asked for.")
    return "\n".join(map(_wrapped, lines))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
