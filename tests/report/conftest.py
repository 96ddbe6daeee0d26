"""One browser for the tests of a worker, and pages that must not ask, complain or pop up."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

ADDRESS = "http://report.test/page.html"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


def _absent(what: str) -> None:
    if os.environ.get("STYLOBATE_REQUIRE_BROWSER"):
        pytest.fail(f"STYLOBATE_REQUIRE_BROWSER is set, but {what}.")
    pytest.skip(f"No browser to open pages in: {what}.")


@pytest.fixture(scope="module")  # while it is open, no other event loop can run in this thread
def browser() -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        _absent(f"none of {', '.join(_BROWSERS)} is on the path")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent("the package playwright is not installed")
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=path, args=_ARGUMENTS.split())
        yield opened
        opened.close()


class Watched:
    """A page and everything it did that a report must not do."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.events: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.events.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.events.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.requests.append(request.url))

    def _dialog(self, dialog: Any) -> None:
        self.events.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens HTML as a page of its own; at the end, nothing but the page may have been asked for."""
    watched: list[tuple[Watched, str]] = []
    contexts = []

    def opened(html: str | Path, **options: Any) -> Any:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
        contexts.append(context)
        address = html.as_uri() if isinstance(html, Path) else ADDRESS
        if isinstance(html, str):
            body = html.encode()
            context.route(
                "**/*",
                lambda route: (
                    route.fulfill(body=body, content_type="text/html; charset=utf-8")
                    if route.request.url == ADDRESS
                    else route.abort()
                ),
            )
        watch = Watched(context.new_page())
        watched.append((watch, address))
        watch.page.goto(address)
        return watch.page

    yield opened
    for watch, address in watched:
        watch.page.evaluate("0")  # whatever was under way has been reported now
        assert watch.events == []
        assert watch.requests == [address]
    for context in contexts:
        context.close()
