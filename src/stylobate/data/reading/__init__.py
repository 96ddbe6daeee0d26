"""Reading tables of any format, lazily: what a file is, how it is written, its rows on request."""

from stylobate.data.reading.door import read
from stylobate.data.reading.errors import SourceNotFoundError
from stylobate.data.reading.relation import Relation

__all__ = ["Relation", "SourceNotFoundError", "read"]
