"""What things are called: words of textbooks and lecture notes, and our names for them."""

from __future__ import annotations

from stylobate.terms.index import Term, terms
from stylobate.terms.search import Hits, find

__all__ = ["Hits", "Term", "find", "terms"]
