"""Kernels as values: named ones, strings and sets, the closure rules, and checks."""

from stylobate.kernels.centring import center_gram
from stylobate.kernels.decomposition import Decomposition
from stylobate.kernels.discrete import Intersection, Matching, Spectrum, Subsequence
from stylobate.kernels.functions import FunctionKernel, as_kernel
from stylobate.kernels.kernel import Kernel
from stylobate.kernels.mercer import MercerReport, check_mercer
from stylobate.kernels.row_cache import KernelRows
from stylobate.kernels.rules import Constant
from stylobate.kernels.tiles import kernel_block, kernel_product
from stylobate.kernels.vectors import (
    RBF,
    Cosine,
    Laplacian,
    Linear,
    Polynomial,
    QuadraticForm,
    Sigmoid,
)

__all__ = [
    "RBF",
    "Constant",
    "Cosine",
    "Decomposition",
    "FunctionKernel",
    "Intersection",
    "Kernel",
    "KernelRows",
    "Laplacian",
    "Linear",
    "Matching",
    "MercerReport",
    "Polynomial",
    "QuadraticForm",
    "Sigmoid",
    "Spectrum",
    "Subsequence",
    "as_kernel",
    "center_gram",
    "check_mercer",
    "kernel_block",
    "kernel_product",
]
