"""What commands end with, where it is neither 0 nor an error."""

from __future__ import annotations

INTERRUPTED = 130  # 128 and the number of SIGINT, as shells have it
