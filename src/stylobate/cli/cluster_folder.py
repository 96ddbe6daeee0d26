"""The folder of `stylobate cluster`: each file appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stylobate.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from stylobate.data.reading import Relation
    from stylobate.exploration import ClusterReport


class ClusterFolder:
    """Where clusters are written.

    Parameters
    ----------
    path : Path
        The folder; made with its parents when `claim` is called.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._made: list[Path] = []

    def claim(self) -> None:
        """Make the folder and see that files can be written there; refuses in a sentence."""
        if self.path.exists() and not self.path.is_dir():
            raise InvalidParameterError(f"--out {str(self.path)!r} is a file; give a folder.")
        self._made = [each for each in (self.path, *self.path.parents) if not each.exists()]
        probe = self.path / f".probe-{os.getpid()}"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe.write_bytes(b"x")
            probe.unlink()
        except OSError as error:
            raise InvalidParameterError(
                f"The clusters cannot be written to {str(self.path)!r}: "
                f"{(error.strerror or str(error)).lower()}; choose another folder (--out)."
            ) from None

    def release(self) -> None:
        """Remove the folders made here, as far as they are empty."""
        for each in self._made:
            with suppress(OSError):
                each.rmdir()

    def write(
        self, report: ClusterReport, relation: Relation, keep: Sequence[str], parquet: bool
    ) -> dict[str, Path]:
        """Write labels, model, data and page; returns their places."""
        from stylobate.cli.prediction_output import write_predictions
        from stylobate.exploration.clusters.labels import labelled_batches
        from stylobate.storage import save

        files = {
            "labels": self.path / ("labels.parquet" if parquet else "labels.csv"),
            "model": self.path / "model.stylobate",
            "data": self.path / "clusters.json",
            "report": self.path / "report.html",
        }
        header = ["row", *keep, "cluster", "certainty"]
        write_predictions(labelled_batches(report, relation, keep), header, files["labels"])
        about = {"task": "clusters", "source": report.source, "n_clusters": report.n_clusters}
        save(report.model, files["model"], about=about)
        _write_text(files["data"], report.to_json(indent=2) + "\n")
        _write_text(files["report"], report.to_html())
        return files


def _write_text(path: Path, text: str) -> None:
    from stylobate.storage.placing import replacing

    place: AbstractContextManager[Any] = replacing(path, "The clusters")
    with place as stream:
        stream.write(text.encode("utf-8", "surrogatepass"))
