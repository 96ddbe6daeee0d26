"""A study as one page: what was asked, what was found, and how sure it is."""

from __future__ import annotations

from .document import study_page

__all__ = ["study_page"]
