"""A folder for copies that goes when the last one who holds it goes."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class Folder:
    """A temporary folder; `path` is removed when the object is collected, or at exit."""

    def __init__(self) -> None:
        """Make the folder."""
        self.path = Path(tempfile.mkdtemp(prefix="stylobate-"))
        weakref.finalize(self, shutil.rmtree, str(self.path), ignore_errors=True)
