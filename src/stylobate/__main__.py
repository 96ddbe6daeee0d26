"""So that ``python -m stylobate`` is the `stylobate` command."""

from __future__ import annotations

from stylobate.cli import main

if __name__ == "__main__":
    try:
        main()
    finally:
        # CPython remembers a KeyboardInterrupt that left `exec` of a text (classes of data are made
        # so while modules load) although `main` answered it, and would die of the signal instead
        # of ending with our exit status; running any text makes it forget.
        exec("")
