"""The compiled network for tables against NumPy, finite differences, and itself."""

import numpy as np
import pytest

from stylobate import _core
from stylobate.neural_network.engine import Targets
from stylobate.neural_network.tabular.shape import NetShape
from stylobate.neural_network.tabular.training import (
    BETAS,
    RATES,
    MemberNetwork,
    NetRows,
    TrainingPlan,
)
from stylobate.parallel import threads
from tests.neural_network.tabular_reference import decayed, loss_and_gradient, mish, mixed, rates_of

SHAPES = {
    "numbers": NetShape(3, 1, 16, 3, (), (24, 20), 1, 3, "identity"),
    "plain": NetShape(2, 2, 0, 0, (3,), (16,), 3, 1, "softmax"),
    "mixed": NetShape(2, 1, 5, 2, (4, 11), (17, 40), 1, 4, "logistic"),
}


def problem(shape, n=61, seed=0):
    draw = np.random.RandomState(seed)
    numbers = draw.standard_normal((n, shape.waved + shape.plain))
    codes = np.column_stack(
        [draw.randint(-1, count, n) for count in shape.categories] or [np.zeros((n, 0))]
    ).astype(np.int32)
    target = draw.standard_normal((n, 1))
    if shape.output != "identity":
        target = draw.randint(0, max(shape.outputs, 2), n).astype(np.int32)
    parameters = shape.draw(draw).astype(np.float64)
    parameters += 0.1 * draw.standard_normal(len(parameters))
    return parameters, numbers, codes, target, draw.uniform(0.2, 2.0, n)


def core_gradient(shape, parameters, numbers, codes, target, weights, dropout=0.0, seed=0):
    values, classes = (target, None) if shape.output == "identity" else (None, target)
    return _core.tabular_gradient(
        shape.as_dict(), parameters, numbers, codes, values, classes, weights,
        {"dropout": dropout, "seed": seed},
    )  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_gradient_is_that_of_numpy(name, dropout):
    shape = SHAPES[name]
    given = problem(shape)
    key = mixed(7 ^ mixed(0))
    loss, gradient = loss_and_gradient(shape, *given, dropout=dropout, key=key, padded=96)
    found, ours = core_gradient(shape, *given, dropout=dropout, seed=7)
    assert found == pytest.approx(loss, rel=1e-12)
    np.testing.assert_allclose(ours, gradient, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", SHAPES)
def test_gradient_is_that_of_finite_differences(name):
    shape = SHAPES[name]
    parameters, *rest = problem(shape, n=20, seed=1)
    _, gradient = core_gradient(shape, parameters, *rest)
    at, h = 0, 1e-5
    for _, array in shape.parts(parameters):
        for k in {at, at + array.size // 2, at + array.size - 1} if array.size else ():
            losses = []
            for step in (h, -h):
                moved = parameters.copy()
                moved[k] += step
                losses.append(core_gradient(shape, moved, *rest)[0])
            assert gradient[k] == pytest.approx((losses[0] - losses[1]) / (2 * h), abs=2e-7)
        at += array.size


def numpy_epoch(shape, state, rows, order, rates, plan, seed):
    """One epoch of Adam with decoupled decay, even batches, in NumPy."""
    parameters, first, second, t = state
    y, n, steps = rows.targets, len(order), len(rates)
    padded = int(np.ceil(np.ceil(n / steps) / 48)) * 48
    factors, shrinks = rates_of(shape, parameters, RATES), decayed(shape, parameters)
    for s, rate in enumerate(rates):
        batch = order[s * n // steps : (s + 1) * n // steps]
        target = y.values[batch] if y.codes is None else y.codes[batch]
        _, gradient = loss_and_gradient(
            shape, parameters, rows.numbers[batch], rows.codes[batch], target, y.weights[batch],
            plan.dropout, mixed(seed ^ mixed(t)), padded,
        )  # fmt: skip
        gradient /= y.weights[batch].sum()
        t += 1
        first[:] = BETAS[0] * first + (1 - BETAS[0]) * gradient
        second[:] = BETAS[1] * second + (1 - BETAS[1]) * gradient**2
        parameters *= 1 - rate * plan.decay * shrinks
        size = rate * factors * np.sqrt(1 - BETAS[1] ** t) / (1 - BETAS[0] ** t)
        parameters -= size * first / (np.sqrt(second) + 1e-8)
    state[3] = t


@pytest.mark.parametrize("name", SHAPES)
def test_epochs_are_those_of_numpy(name):
    shape = SHAPES[name]
    parameters, numbers, codes, target, weights = problem(shape)
    values, classes = (target, None) if shape.output == "identity" else (None, target)
    rows = NetRows(numbers, codes, Targets(values, classes, weights))
    plan = TrainingPlan(2, 20, 0.05, 0.2, 0.1, 9)
    network = MemberNetwork(shape, parameters.copy(), seed=11)
    state = [parameters, np.zeros_like(parameters), np.zeros_like(parameters), 0]
    for epoch in range(2):
        order = np.random.RandomState(epoch).permutation(len(numbers)).astype(np.int64)
        network.epoch(rows, order, plan.rates(epoch, 3), plan)
        numpy_epoch(shape, state, rows, order, plan.rates(epoch, 3), plan, 11)
    assert network.steps == state[3] == 6
    np.testing.assert_allclose(network.parameters, parameters, rtol=1e-6, atol=1e-8)


def test_activation_in_both_precisions():
    z = np.linspace(-90.0, 90.0, 1001)
    expected, slope = mish(z)
    shape = NetShape(0, 1, 0, 0, (), (1,), 1, 1, "identity")
    for dtype, tol in ((np.float64, 1e-13), (np.float32, 4e-7)):
        parameters = np.array([1, 1, 0, 1, 0], dtype)  # factor, weight, bias, last layer
        found = _core.tabular_outputs(
            shape.as_dict(), parameters, z[:, None].astype(dtype), np.zeros((1001, 0), np.int32)
        )
        exact = mish(z.astype(dtype).astype(np.float64))[0]
        np.testing.assert_allclose(found[:, 0], exact, rtol=tol, atol=1e-30)
    assert np.abs(np.gradient(expected, z) - slope).max() < 0.01


def test_same_bits_with_any_number_of_threads():
    shape = NetShape(6, 1, 16, 3, (4, 30), (128, 96), 3, 4, "softmax")
    parameters, numbers, codes, target, weights = problem(shape, n=700)
    rows = NetRows(numbers.astype(np.float32), codes, Targets(None, target, weights))
    plan = TrainingPlan(1, 256, 0.04, 0.15, 0.02, 9)
    answers = []
    for count in (1, 2, 7):
        network = MemberNetwork(shape, parameters.astype(np.float32), seed=5)
        with threads(count):
            loss = network.epoch(rows, np.arange(700)[::-1].copy(), plan.rates(0, 3), plan)
            outputs = network.outputs(rows.numbers, codes)
        answers.append((loss, network.parameters.tobytes(), outputs.tobytes()))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hidden": []}, "a hidden layer"),
        ({"members": 0}, "a hidden layer"),
        ({"waved": 3}, "do not fit the network"),
        ({"output": "exp"}, "no output of this name"),
        ({"categories": [(4, 8)]}, "do not fit the network"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(change, words):
    shape = NetShape(2, 1, 16, 3, (4,), (8,), 1, 2, "identity")
    parameters, numbers, codes, *_ = problem(shape)
    with pytest.raises(ValueError, match=words):
        _core.tabular_outputs(shape.as_dict() | change, parameters, numbers, codes)
    with pytest.raises(ValueError, match="out of range"):
        _core.tabular_outputs(shape.as_dict(), parameters, numbers, codes + 9)
