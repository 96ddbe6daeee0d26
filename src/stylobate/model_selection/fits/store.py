"""Finished fits on disk, so that an interrupted run goes on where it stopped.

A store is a directory with one small JSON file for each fit. A file is written under another name
and then renamed, so it is there as a whole or not at all, whatever happens to the process.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.model_selection.fits.fingerprints import fingerprint
from stylobate.model_selection.fits.task import ONE, Outcome, Task
from stylobate.splits import Split

FORMAT = "stylobate fit 1"
_SHOWN = 3  # damaged entries named in the warning


@dataclass
class FitStore:
    """The fits of one task in a directory; see `open_store`."""

    directory: Path
    about: str  # fingerprint of data, scoring and what is kept
    splits: list[str]
    damaged: list[str] = field(default_factory=list)
    full: bool = False  # whether nothing more can be written

    def keys(self, models: Sequence[Any]) -> list[str]:
        """The name of each fit: what is fitted, to which rows, and how it is judged."""
        prints = [fingerprint(model) for model in models]
        return [fingerprint(FORMAT, self.about, each, s) for each in prints for s in self.splits]

    def read(self, key: str) -> Outcome | None:
        """The outcome written under a key; None if there is none, or a damaged one."""
        path = self._path(key)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            self.damaged.append(f"{path} ({error})")
            return None
        try:
            return _decoded(text, key)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self.damaged.append(f"{path} ({error})")
            return None

    def write(self, key: str, outcome: Outcome) -> None:
        """Keep an outcome; failures are not kept, the next run tries again."""
        failed = outcome.failure is not None or outcome.scoring_failure is not None
        body = None if failed or self.full else _encoded(outcome)
        if body is None:
            return
        try:
            self._write(key, body)
        except OSError as error:
            self.full = True
            warnings.warn(
                f"store: cannot write to {str(self.directory)!r} any more ({error}); the run goes "
                "on, and what is finished from now on is not kept.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )

    def _write(self, key: str, body: dict[str, Any]) -> None:
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        entry = {"format": FORMAT, "key": key, "check": _check(body), "outcome": body}
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(entry, file)
            os.replace(name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise

    def tell(self) -> None:
        """Warn of the entries that could not be used."""
        if not self.damaged:
            return
        named = "; ".join(self.damaged[:_SHOWN])
        more = f" and {len(self.damaged) - _SHOWN} more" if len(self.damaged) > _SHOWN else ""
        warnings.warn(
            f"store: {len(self.damaged)} entries are damaged or not ours, and these fits are made "
            f"again: {named}{more}.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
        self.damaged.clear()

    def _path(self, key: str) -> Path:
        return self.directory / key[:2] / f"{key}.json"


def open_store(store: Any, task: Task, splits: Sequence[Split]) -> FitStore:
    """The store in a directory, made if need be.

    Parameters
    ----------
    store : str or path
        The directory.
    task : Task
        Data and scoring: fits of others may lie in the same directory.
    splits : list of (train, test)
        The splits.
    """
    if not isinstance(store, str | os.PathLike):
        raise InvalidParameterError(
            f"store must be the path of a directory or None, got {store!r}."
        )
    directory = Path(store)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        raise InvalidParameterError(
            f"store: cannot write to {str(directory)!r} ({error.strerror or error}); give a "
            "directory that can be written to."
        ) from error
    data, scorer = task.data, task.scorer
    named = scorer.scorers if isinstance(scorer, ManyScorers) else {ONE: scorer}
    about = fingerprint(
        (data.x, data.y, data.params, named),
        (task.train_score, task.predictions, task.score_params),
        getattr(data, "scorer_params", None) or {},
        *task.about,
    )
    return FitStore(directory, about, [fingerprint(train, test) for train, test in splits])


def _encoded(outcome: Outcome) -> dict[str, Any] | None:
    """The outcome as plain values; None where its predictions are not numbers or texts."""
    body = {
        "test": {name: _number(value) for name, value in outcome.test.items()},
        "train": {name: _number(value) for name, value in outcome.train.items()},
        "fit_time": outcome.fit_time,
        "score_time": outcome.score_time,
        "warnings": list(outcome.warnings),
        "way": outcome.way,
    }
    if outcome.steps:
        body |= {"steps": list(map(float, outcome.steps)), "stopped": outcome.stopped}
    if outcome.predictions is not None:
        buffer = io.BytesIO()
        try:
            np.save(buffer, np.asarray(outcome.predictions), allow_pickle=False)
        except ValueError:
            return None
        body["predictions"] = base64.b64encode(buffer.getvalue()).decode("ascii")
    return body


def _decoded(text: str, key: str) -> Outcome:
    entry = json.loads(text)
    if entry["format"] != FORMAT:
        raise ValueError(f"format {entry['format']!r}, expected {FORMAT!r}")
    if entry["key"] != key:
        raise ValueError("the entry of another fit")
    body = entry["outcome"]
    if entry["check"] != _check(body):
        raise ValueError("its checksum is wrong")
    packed = body.pop("predictions", None)
    outcome = Outcome(**body, stored=True)
    if packed is not None:
        outcome.predictions = np.load(io.BytesIO(base64.b64decode(packed)), allow_pickle=False)
    return outcome


def _number(value: Any) -> int | float:
    return int(value) if isinstance(value, Integral) else float(value)


def _check(body: dict[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=8).hexdigest()
