"""NIST's one-way analyses of variance, to the digits their difficulty leaves."""

import re

import numpy as np
import pytest

from stylobate import model

FILES = ("SiRstv", "AtmWtAg", "SmLs01", "SmLs02", "SmLs04", "SmLs05", "SmLs07", "SmLs08")


@pytest.mark.parametrize("name", FILES)
def test_certified_f(name, reference_data):
    text = (reference_data / "nist_strd" / "anova" / f"{name}.dat").read_text()
    certified = float(re.search(r"Between \w+\s+\d+ \S+ \S+\s+(\S+)", text).group(1))
    rows = text.split("Data:", 2)[-1].splitlines()
    values = np.array([
        [float(cell) for cell in row.split()]
        for row in rows if re.fullmatch(r"\s*\d+\s+[-+.\dEe]+\s*", row)
    ])  # fmt: skip
    fit = model("y ~ C(g)", {"g": values[:, 0].astype(int), "y": values[:, 1]})
    found = fit.anova()["C(g)"]["statistic"]
    digits = -np.log10(max(abs(found / certified - 1.0), 1e-16))
    # of nine constant leading digits (SmLs04, 05) and thirteen (07, 08) doubles keep the rest
    least = {"SmLs07": 2.0, "SmLs08": 1.5, "SmLs04": 8.0, "SmLs05": 8.0}.get(name, 9.0)
    assert digits > least
