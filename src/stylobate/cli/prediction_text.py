"""What `stylobate predict` says at the end: sentences, or JSON."""

from __future__ import annotations

import json
from pathlib import Path

from stylobate.cli.prediction_rows import Tally

MANY_ROWS = 1_000_000  # from which on it is told how they were read


def as_text(tally: Tally) -> str:
    """Which rows were left out and why, what the model has not seen; nothing if all is well."""
    said = []
    for row, reason in tally.reasons.items():
        line = f"line {tally.lines[row]}: " if row in tally.lines else ""
        said.append(f"row {row + 1}: {line}{reason}")
    more = tally.left_out - len(tally.reasons)
    if more:
        said.append(f"… and {more} more")
    said += [f"{note}." for note in tally.notes]
    said += [each.words for each in tally.unseen if each.rows]
    if tally.left_out:
        good = tally.rows - tally.left_out
        said.append(f"{good} row{'s' * (good != 1)} predicted, {tally.left_out} left out.")
    if tally.rows >= MANY_ROWS:
        said.append(f"{tally.rows:,} rows read once, in {tally.batches:,} batches.")
    return "\n".join(said)


def as_json(tally: Tally, out: Path | None) -> str:
    """The same as one line of JSON, all keys always there; rows and lines count from 1."""
    told = {
        "out": None if out is None else str(out),
        "rows": tally.rows,
        "predicted": tally.rows - tally.left_out,
        "left_out": tally.left_out,
        "reasons": [
            {"row": row + 1, "line": tally.lines.get(row), "reason": reason}
            for row, reason in tally.reasons.items()
        ],
        "unseen": [
            {
                "column": each.column,
                "rows": each.rows,
                "values": [str(value) for value in each.values],
                "treated_as": each.treated_as,
            }
            for each in tally.unseen
            if each.rows
        ],
        "notes": tally.notes,
    }
    return json.dumps(told, allow_nan=False, ensure_ascii=False)
