"""Peak memory of this process over a stretch of code."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


class PeakMemory:
    """Peak resident memory above the level at ``start``, in bytes.

    On Linux the kernel's high-water mark is reset first (``5`` to ``clear_refs``), so the figure is
    exact and no sampling thread disturbs the timing. Elsewhere the growth of ``ru_maxrss`` is a
    lower bound: it only sees a call that goes beyond everything before it.
    """

    def start(self) -> None:
        """Take the level from which growth is counted."""
        self._exact = _reset_high_water()
        self._base = _status("VmRSS") if self._exact else _maxrss()

    def growth(self) -> int:
        """Bytes by which the peak since ``start`` went above the level then."""
        peak = _status("VmHWM") if self._exact else _maxrss()
        return max(0, peak - self._base)


def _reset_high_water() -> bool:
    try:
        _CLEAR.write_text("5")
    except OSError:
        return False
    return True


def _status(key: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    return 0


def _maxrss() -> int:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
