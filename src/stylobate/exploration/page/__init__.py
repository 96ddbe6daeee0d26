"""The page of a profile: what `explore` found as one HTML file to read, sort and search."""

from .document import page

__all__ = ["page"]
