"""From a table and a target to a selected, explained model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.study.results import StudyResult

__all__ = ["StudyResult"]

__getattr__, __dir__ = lazy_names(__name__, {"StudyResult": "results"})
