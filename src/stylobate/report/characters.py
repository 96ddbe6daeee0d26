"""Characters a reader cannot see, made visible: data must not rearrange the text around it."""

from __future__ import annotations

import re

# Controls, bidirectional overrides, zero-width and filler characters, surrogates, non-characters.
# Joiners (U+200C, U+200D) and variation selectors stay: Persian words and emoji are made with them.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}


def visible(text: str) -> str:
    r"""The text with every control, bidirectional or invisible character shown as a sign.

    Parameters
    ----------
    text : str
        Any text, lone surrogates included.

    Returns
    -------
    str
        Text that can be encoded as UTF-8 and reads in one order.

    Examples
    --------
    >>> visible("one\ttwo\x00"), visible("a\u202eb")
    ('one␉two␀', 'a⟨U+202E⟩b')

    References
    ----------
    Unicode Technical Report 36, Unicode security considerations, 2014.
    """
    return _UNSEEN.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    return _PICTURES.get(code) or f"⟨U+{code:04X}⟩"


def shortened(text: str, length: int = 60) -> str:
    """The text, its middle left out where it is longer than ``length`` characters.

    Examples
    --------
    >>> shortened("abcdefghijkl", 7)
    'abc…jkl'
    """
    if len(text) <= length:
        return text
    tail = (length - 1) // 2
    return f"{text[: length - 1 - tail]}…{text[len(text) - tail :]}"
