"""The folder of `stylobate map`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from stylobate.cli.result_folder import ResultFolder

if TYPE_CHECKING:
    from stylobate.exploration import RowMap


class MapFolder(ResultFolder):
    """Where maps are written."""

    contents = "The maps"

    def write(self, found: RowMap) -> dict[str, Path]:
        """Write page and coordinates; returns their places."""
        from stylobate.cli.prediction_output import write_predictions

        files = {
            "page": self.path / "map.html",
            "coordinates": self.path / "coordinates.csv",
        }
        columns = found.coordinates
        write_predictions(iter([columns]), list(columns), files["coordinates"])
        self.write_text(files["page"], found.to_html())
        return files
