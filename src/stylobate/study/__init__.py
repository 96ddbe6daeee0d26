"""From a table and a target to a selected, explained model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.study.events import Event
    from stylobate.study.results import StudyResult
    from stylobate.study.study import Study

__all__ = ["Event", "Study", "StudyResult"]

__getattr__, __dir__ = lazy_names(
    __name__, {"Event": "events", "Study": "study", "StudyResult": "results"}
)
