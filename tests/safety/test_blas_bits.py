"""Every estimator learns and answers the same bits whatever number of threads BLAS has.

Sums that BLAS cuts by the number of its threads show from a few hundred columns on.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stylobate
from stylobate.testing import all_estimators

PROGRAM = Path(__file__).parent / "blas_bits.py"
NAMES = [kind.__name__ for kind in all_estimators()]
GROUPS = [NAMES[start::20] for start in range(20)]
# those whose answers were other ones with two threads, at every run
ALWAYS = [
    ["GaussianMixture", "CCA", "ConstrainedRidge", "IncrementalPCA", "KernelPCA", "Nystroem"],
    ["KernelRidge", "KernelRidgeCV", "PCA", "RidgeCV", "RidgeClassifierCV", "LinearRegression"],
    ["BayesianRidge", "ClassicalMDS", "ElasticNetCV", "Isomap", "MultiTaskLasso", "RelaxedLasso"],
    ["FeatureAgglomeration", "LassoCV", "MultiTaskElasticNet", "RBFSampler", "SkewedChi2Sampler"],
]


def hashes(names, threads):
    """{estimator: hash}, computed in a process whose BLAS starts with so many threads."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *names],
        env={
            **os.environ,
            "OPENBLAS_NUM_THREADS": str(threads),
            "PYTHONPATH": str(Path(stylobate.__file__).parents[1]),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split("\t") for line in done.stdout.splitlines())


def refuse_other_bits(names):
    one, two = hashes(names, 1), hashes(names, 2)
    compared = [name for name in names if not (one[name] + two[name]).count("none: ")]
    assert len(compared) > len(names) // 2
    assert [name for name in compared if one[name] != two[name]] == []


@pytest.mark.parametrize("names", ALWAYS, ids=lambda names: names[0])
def test_models_of_dense_factorisations(names):
    refuse_other_bits(names)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_same_bits_for_any_number_of_blas_threads(names):
    refuse_other_bits(names)
