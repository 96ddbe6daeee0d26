"""A bar on standard error, where a person would see it."""

from __future__ import annotations

from typing import Any


def terminal_bar(total: int | None, *columns: Any) -> Any:
    """A bar drawn by rich that has begun; None where there is no terminal or notebook.

    Parameters
    ----------
    total : int or None
        Steps to come; None where nobody knows.
    *columns : rich's columns
    """
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        return None
    bar = progress.Progress(*columns, console=console, transient=True)
    bar.add_task("", total=total)
    bar.start()
    return bar
