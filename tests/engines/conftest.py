"""The server of PostgreSQL that the tests of formulas start is that of streams as well."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "formula"))
