"""Every instruction set gives the same answers."""

from __future__ import annotations

import json

import numpy as np
import pytest

PROGRAM = """
import json
import numpy as np
from stylobate import _core

rng = np.random.default_rng(0)
results = {"isa": _core.isa()}
for p in (1, 5, 33, 70, 650):
    x = rng.normal(size=(1000, p)) + np.arange(p)
    forms = {"float64": x, "columns": np.asfortranarray(x), "float32": x.astype("f4")}
    for name, z in forms.items():
        n, w, mean, scatter = _core.moments(z, None, None)
        results[f"{p} {name}"] = [mean.tolist(), scatter[:20, :20].tolist()]
    if p < 50:
        results[f"{p} R"] = [np.abs(_core.triangular(x, None, None, False)[0]).tolist()]
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def results(run_program):
    return {
        name: json.loads(run_program(PROGRAM, settings={"STYLOBATE_ISA": name} if name else {}))
        for name in ("", "base", "avx2", "avx512", "vnni", "unheard of")
    }


def test_the_instruction_set_asked_for_is_used_where_there_is_one(results):
    order = ["base", "avx2", "avx512", "vnni"]
    best = results[""]["isa"]
    assert results["base"]["isa"] == "base"
    assert results["unheard of"]["isa"] == best
    for wish in order[1:]:
        assert results[wish]["isa"] == min(wish, best, key=order.index)


def test_answers_agree(results):
    expected = results["base"]
    for name, got in results.items():
        assert got.keys() == expected.keys()
        for key in set(got) - {"isa"}:
            for a, b in zip(got[key], expected[key], strict=True):
                scale = np.abs(b).max()
                np.testing.assert_allclose(
                    a, b, rtol=0, atol=1e-12 * scale, err_msg=f"{name}: {key}"
                )
