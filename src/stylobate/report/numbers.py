"""Numbers as a reader wants them: few digits, thousands apart, a true minus sign."""

from __future__ import annotations

import math
from typing import Any

NONE = "–"
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def finite(value: Any) -> float | None:
    """The value as a float where it is a finite number, else None.

    Examples
    --------
    >>> finite(3), finite(float("nan")), finite("3"), finite(10**400)
    (3.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def number(value: Any, digits: int = 4) -> str:
    """A number in ``digits`` significant digits; what is no number, as it is.

    Examples
    --------
    >>> number(1234567), number(2024), number(-0.01234567), number(6.02e23), number(None)
    ('1,234,567', '2024', '−0.01235', '6.02 × 10²³', '–')
    """
    if value is None:
        return NONE
    known = finite(value)
    if known is None:
        return str(value)
    size = abs(known)
    if isinstance(value, int) and size < 1e15:
        return _apart(str(value))
    if size != 0.0 and not 1e-4 <= size < 1e9:
        return _scientific(known, digits)
    return _fixed_point(known, digits)


def _fixed_point(value: float, digits: int) -> str:
    if value == 0.0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return _apart(text.rstrip("0").rstrip(".") if "." in text else text)


def _apart(digits: str) -> str:
    """Thousands apart from five digits on, so that years stay years, and a true minus sign."""
    whole, point, rest = digits.removeprefix("-").partition(".")
    if len(whole) > 4:
        whole = f"{int(whole):,}"
    return ("−" if digits.startswith("-") else "") + whole + point + rest


def _scientific(value: float, digits: int) -> str:
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    power = str(int(exponent)).translate(_SUPERSCRIPT)
    return f"{mantissa.replace('-', '−')} × 10{power}"


def percent(share: Any) -> str:
    """A share in percent; 0% and 100% are said only of nothing and of all.

    Examples
    --------
    >>> percent(0.25), percent(0), percent(1e-5), percent(0.9999), percent(1.0)
    ('25.0%', '0%', '< 0.1%', '> 99.9%', '100%')
    """
    known = finite(share)
    if known is None:
        return NONE
    if 0.0 < known < 0.0005:
        return "< 0.1%"
    if 0.9995 <= known < 1.0:
        return "> 99.9%"
    if known in (0.0, 1.0):
        return f"{known:.0%}"
    return f"{known:.1%}".replace("-", "−")


def p_value(p: Any) -> str:
    """A p-value; below a thousandth only that is said.

    Examples
    --------
    >>> p_value(0.0421), p_value(1e-12), p_value(None)
    ('0.042', '< 0.001', '–')
    """
    known = finite(p)
    if known is None:
        return NONE
    return "< 0.001" if known < 0.001 else f"{known:.3f}"


def fixed(value: Any, decimals: int = 3) -> str:
    """A number with as many decimals as the others of its column; very large ones as they are.

    Examples
    --------
    >>> fixed(0.5), fixed(-1), fixed(2e7), fixed(None)
    ('0.500', '−1.000', '20,000,000', '–')
    """
    known = finite(value)
    if known is None:
        return NONE
    return number(known) if abs(known) >= 1e5 else f"{known:,.{decimals}f}".replace("-", "−")


def interval(low: Any, high: Any, decimals: int = 3) -> str:
    """An interval in words, for a dash would look like a minus sign.

    Examples
    --------
    >>> interval(-0.25, 0.5), interval(None, None)
    ('−0.250 to 0.500', '–')
    """
    if finite(low) is None or finite(high) is None:
        return NONE
    return f"{fixed(low, decimals)} to {fixed(high, decimals)}"


def short(value: float, step: float | None = None) -> str:
    """A number for an axis: as many digits as ticks ``step`` apart need, thousands as k, M, B, T.

    Examples
    --------
    >>> short(1500.0, 500.0), short(20000.0, 5000.0), short(0.25, 0.05), short(-3e6)
    ('1500', '20k', '0.25', '−3M')
    """
    size, gap = abs(value), step or abs(value)
    if size <= 1e-9 * gap:
        return "0"
    places = math.floor(math.log10(size) - math.log10(gap) + 1e-9)
    digits = min(max(places, 0) + (4 if step is None else 2), 12)
    for limit, suffix in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e4, "k")):
        if limit <= size < 1e15:
            divisor = 1e3 if suffix == "k" else limit
            return _fixed_point(value / divisor, digits) + suffix
    return number(value, digits)


def duration(seconds: Any) -> str:
    """A time that passed, in the unit that suits it.

    Examples
    --------
    >>> duration(0.0421), duration(3.25), duration(200)
    ('42 ms', '3.2 s', '3 min 20 s')
    """
    known = finite(seconds)
    if known is None:
        return NONE
    if known < 1.0:
        return f"{1000.0 * known:.0f} ms"
    if known < 60.0:
        return f"{known:.1f} s"
    minutes, rest = divmod(round(known), 60)
    return f"{minutes:,} min {rest} s"
