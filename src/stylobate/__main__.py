"""So that ``python -m stylobate`` is the `stylobate` command."""

from __future__ import annotations

from stylobate.cli import main

if __name__ == "__main__":
    main()
