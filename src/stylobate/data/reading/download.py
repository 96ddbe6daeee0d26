"""Files behind http(s) addresses, fetched into a temporary folder."""

from __future__ import annotations

import shutil
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

from stylobate.data.reading.errors import refuse, without_password

MOST_BYTES = 4 << 30
_SECONDS = 30  # without a byte
_BLOCK = 1 << 20


def download(address: str, folder: Path) -> Path:
    """The file behind an address; too large a one, or none at all, is refused."""
    try:
        request = Request(address, headers={"User-Agent": "stylobate"})
    except ValueError as error:
        refuse(without_password(address), f"it cannot be fetched: {error}.")
    target = folder / (Path(unquote(urlsplit(address).path)).name or "download")
    most = min(MOST_BYTES, shutil.disk_usage(folder).free // 2)
    too_large = f"it is larger than {most >> 20} MiB; download it yourself and pass its path."
    written, shown = 0, without_password(address)
    try:
        with urlopen(request, timeout=_SECONDS) as answer, target.open("wb") as out:
            expected = int(answer.headers.get("Content-Length") or 0)
            if expected > most:
                refuse(shown, too_large)
            while block := answer.read(_BLOCK):
                written += len(block)
                if written > most:
                    refuse(shown, too_large)
                out.write(block)
    except HTTPError as error:
        refuse(shown, f"the server answers {error.code} {error.reason}.")
    except (URLError, OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        refuse(shown, f"it cannot be fetched: {reason}.")
    if written < expected:
        refuse(shown, f"the connection ended after {written} of {expected} bytes.")
    return target
