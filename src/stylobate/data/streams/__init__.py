"""Rows that come in batches, as often as asked: every table that is larger than memory."""

from stylobate.data.streams.origins import Rows, is_stream, open_rows, register_opener
from stylobate.data.streams.stream import Batch, Stream, batch_from

__all__ = ["Batch", "Rows", "Stream", "batch_from", "is_stream", "open_rows", "register_opener"]
