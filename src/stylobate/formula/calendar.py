"""Dates as formulas: calendar, cycles and elapsed time from seconds since 1970."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

from stylobate.formula.expressions import (
    Case,
    Compare,
    Constant,
    Expression,
    Function,
    Linear,
    Named,
    Ratio,
)

_DAY = 86400.0


def calendar_parts(
    seconds: Expression, parts: Sequence[str], cycles: dict[str, float], start: float
) -> list[Expression]:
    """The asked parts, in their order; those of a cycle as sine and cosine.

    Parameters
    ----------
    seconds : Expression
        Since 1970.
    parts : sequence of str
        Among "year", "month", "day", "weekday", "hour", "is_weekend" and "elapsed".
    cycles : dict of str to float
        The lengths of those that come again.
    start : float
        The moment from which days have elapsed.
    """
    held = Named("moment", seconds)
    days = Named("days", _whole(held, _DAY))
    weekday = Named("weekday", _rest(Linear((days,), (1.0,), 3.0), 7.0))  # 1970 began on a Thursday
    year, month, day = _civil(days)
    values: dict[str, Expression] = {
        "year": year,
        "month": Linear((month,), (1.0,), -1.0),
        "day": day,
        "weekday": weekday,
        "hour": Ratio(Linear((held, days), (1.0, -_DAY)), Constant(3600.0)),
        "is_weekend": _above(weekday, 4.5, Constant(1.0), Constant(0.0)),
        "elapsed": Ratio(Linear((held,), (1.0,), -start), Constant(_DAY)),
    }
    made: list[Expression] = []
    for part in parts:
        if part not in cycles:
            made.append(values[part])
            continue
        angle = Named("angle", Ratio(Linear((values[part],), (2 * pi,)), Constant(cycles[part])))
        made += [_rounded(Function(wave, angle)) for wave in ("sin", "cos")]
    return made


def _rounded(wave: Expression) -> Expression:
    """To 12 digits, as it was learnt: equal heights are equal, whoever computes them."""
    return Ratio(Function("floor", Linear((wave,), (1e12,), 0.5)), Constant(1e12))


def _civil(days: Expression) -> tuple[Expression, Expression, Expression]:
    """Year, month and day of a number of days since 1970, in years that begin in March."""
    shifted = Named("days", Linear((days,), (1.0,), 719468.0))
    era = Named("era", _whole(shifted, 146097.0))
    in_era = Named("day", Linear((shifted, era), (1.0, -146097.0)))
    leaps = [_whole(in_era, each) for each in (1460.0, 36524.0, 146096.0)]
    ordinary = Linear((in_era, *leaps), (1.0, -1.0, 1.0, -1.0))
    years = Named("year", _whole(ordinary, 365.0))
    before = (years, _whole(years, 4.0), _whole(years, 100.0))
    in_year = Named("day", Linear((in_era, *before), (1.0, -365.0, -1.0, 1.0)))
    months = Named("month", _whole(Linear((in_year,), (5.0,), 2.0), 153.0))
    before_month = _whole(Linear((months,), (153.0,), 2.0), 5.0)
    day = Linear((in_year, before_month), (1.0, -1.0), 1.0)
    month = _above(months, 9.5, Linear((months,), (1.0,), -9.0), Linear((months,), (1.0,), 3.0))
    late = _above(months, 9.5, Constant(1.0), Constant(0.0))  # January and February
    return Linear((years, era, late), (1.0, 400.0, 1.0)), month, day


def _whole(value: Expression, divisor: float) -> Expression:
    return Function("floor", Ratio(value, Constant(divisor)))


def _rest(value: Expression, divisor: float) -> Expression:
    held = Named("days", value)
    return Linear((held, _whole(held, divisor)), (1.0, -divisor))


def _above(value: Expression, edge: float, then: Expression, other: Expression) -> Expression:
    return Case(((Compare(">", value, Constant(edge)), then),), other)
