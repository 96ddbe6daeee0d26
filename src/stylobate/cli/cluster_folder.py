"""The folder of `stylobate cluster`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stylobate.cli.result_folder import ResultFolder

if TYPE_CHECKING:
    from stylobate.data.reading import Relation
    from stylobate.exploration import ClusterReport


class ClusterFolder(ResultFolder):
    """Where clusters are written."""

    contents = "The clusters"

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
        self.write_text(files["data"], report.to_json(indent=2) + "\n")
        self.write_text(files["report"], report.to_html())
        return files
