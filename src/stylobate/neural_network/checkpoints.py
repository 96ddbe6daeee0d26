"""Checkpoints: all that a training is, after every epoch, in one file that a crash cannot harm."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import ModelFileError
from stylobate.storage.placing import replacing

if TYPE_CHECKING:
    from stylobate.neural_network.epochs import Run
    from stylobate.neural_network.network import Network
    from stylobate.neural_network.training import TrainingPlan

_ARRAYS = ("parameters", "state", "first", "second", "best_parameters", "best_state")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file that holds a run, and what the run belongs to.

    The file is written beside its place, brought to disk and then renamed: whoever reads it finds
    the last epoch or the one before, never half of one. It holds numbers and text alone.

    Parameters
    ----------
    path : Path
    task : str
        Layers, input, precision, loss, method and penalty: a run goes on only where these are the
        same.
    data: str
        A fingerprint of the rows; empty for streams, which are not looked at beforehand.
    """

    path: Path
    task: str
    data: str = ""

    @classmethod
    def of(
        cls, path: Any, network: Network, loss: Any, plan: TrainingPlan, data: str = ""
    ) -> Checkpoint:
        """For this training."""
        dtype = network._drawn[0].name
        told = (network.layers, network.input_shape, dtype, loss, plan.method, plan.weight_decay)
        return cls(Path(path), "; ".join(map(repr, told)), data)

    def write(self, run: Run) -> None:
        """The run as it stands."""
        books = {
            "format": 1,
            "task": self.task,
            "data": self.data,
            "steps": run.updates.count,
            "draw": run.draw.bit_generator.state,
            "losses": run.losses,
            "scores": run.scores,
            "best_epoch": run.best_epoch,
            "best_score": run.best_score,
            "waited": run.waited,
        }
        arrays = {
            "parameters": run.parameters,
            "state": run.state,
            "first": run.updates.first,
            "second": run.updates.second,
            "best_parameters": run.best_parameters,
            "best_state": run.best_state,
        }
        text = np.frombuffer(json.dumps(books).encode(), dtype=np.uint8)
        with replacing(self.path, "The checkpoint") as stream:
            np.savez(stream, allow_pickle=False, books=text, **arrays)  # type: ignore[arg-type]

    def restore(self, run: Run) -> None:
        """Bring a new run to where the file's stands; nothing if there is no file."""
        if not self.path.exists():
            return
        books, arrays = self._read()
        if books["task"] != self.task:
            raise ModelFileError(
                f"{str(self.path)!r} is a checkpoint of another training: layers, input_shape, "
                "dtype, loss, method and weight_decay must be the same to go on from it. Delete "
                "it, or give another path, to start anew."
            )
        known = str(books.get("data", ""))  # files of before have none
        if known and self.data and known != self.data:
            raise ModelFileError(
                f"{str(self.path)!r} is a checkpoint of a training on other rows: x, y and "
                "sample_weight must be the same, in the same order, to go on from it. Delete it, "
                "or give another path, to start anew."
            )
        for name, into in (
            ("parameters", run.parameters),
            ("state", run.state),
            ("first", run.updates.first),
            ("second", run.updates.second),
        ):
            if arrays[name].shape != into.shape:
                raise ModelFileError(f"{str(self.path)!r} is damaged: {name} has a wrong size.")
            into[...] = arrays[name]
        run.best_parameters, run.best_state = arrays["best_parameters"], arrays["best_state"]
        run.updates.count = int(books["steps"])
        run.draw.bit_generator.state = books["draw"]
        run.losses, run.scores = list(books["losses"]), list(books["scores"])
        run.best_epoch, run.best_score = int(books["best_epoch"]), float(books["best_score"])
        run.waited = int(books["waited"])

    def _read(self) -> tuple[dict[str, Any], dict[str, Any]]:
        try:
            with open(self.path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in _ARRAYS}
                books: dict[str, Any] = json.loads(file["books"].tobytes())
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ModelFileError(
                f"{str(self.path)!r} is not a checkpoint of a training, or is damaged "
                f"({type(error).__name__}); delete it or give another path."
            ) from error
        return books, arrays
