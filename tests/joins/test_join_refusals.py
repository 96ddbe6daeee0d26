"""Bad input to joins is refused in a sentence that says what would be right."""

from __future__ import annotations

import numpy as np
import pytest

import stylobate
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.linear_model import LinearRegression, Ridge

ORDERS = {"customer": [1, 2, 1, 3], "price": [5.0, 3.0, 4.0, 8.0], "days": [2.0, 3.0, 2.0, 6.0]}
CUSTOMERS = {"customer": [1, 2, 3], "age": [30.0, 50.0, 70.0], "price": [0.0, 1.0, 3.0]}


def orders():
    return stylobate.join(ORDERS, name="orders")


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (["1", "2", "3"], "orders.customer holds whole numbers and customers.customer text"),
        (np.array([1, 2, 3], "M8[D]"), "customers.customer dates"),
        ([1.5, 2.0, 3.0], r"customers.customer holds 1.5, and keys are whole numbers"),
        ([7, 8, 9], r"no row of orders finds a match in customers .*example customer=1"),
        ([1, 2, 2], r"customers has 2 rows with customer=2 .*Keep one row .*many=True"),
        ([1, "2", 3], "orders.customer holds whole numbers and customers.customer text"),
    ],
)
def test_keys_that_do_not_fit(keys, told):
    values = keys if isinstance(keys, np.ndarray) else np.array(keys, object)
    if all(isinstance(each, float) for each in values.tolist()):
        values = values.astype(float)
    table = {"customer": values, "age": [30.0, 50.0, 70.0]}
    with pytest.raises(InvalidDataError, match=told):
        LinearRegression().fit(
            orders().with_(table, on="customer", name="customers"), target="days"
        )


def test_large_whole_numbers_beside_gaps_are_refused_rather_than_rounded():
    table = {"customer": [1.0, np.nan, 2.0**53 + 2], "age": [1.0, 2.0, 3.0]}
    with pytest.raises(InvalidDataError, match=r"above 2\^53.*give this column as text"):
        orders().with_(table, on="customer", name="customers").describe()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"on": "id"}, "there is no column 'id'; orders has customer, price, days"),
        ({"on": {"customer": "id"}}, "customers has no column 'id'; it has customer, age"),
        ({"on": []}, "on must be a column, a list of columns, or a mapping"),
        ({"on": 3}, "on must be a column"),
        ({"on": "customer", "how": "outer"}, 'how must be "left" or "inner", got \'outer\''),
        ({"on": "customer", "fill": "x"}, "fill must be a number or None"),
        ({"on": "customer", "name": "orders"}, "there is a table 'orders' already"),
    ],
)
def test_edges_that_cannot_be(options, told):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=told):
        orders().with_(CUSTOMERS, **({"name": "customers"} | options))


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        ({"target": "price"}, "2 tables have a column 'price'; say which one.*'customers.price'"),
        ({"target": "cost"}, "there is no column 'cost'"),
        ({"target": "days", "features": ["orders.days"]}, "'orders.days' has two roles"),
        ({"target": "days", "features": ["shops.*"]}, "there is no table 'shops'"),
        ({"target": "days", "features": ["age"], "weight": "age"}, "two roles"),
        ({"target": "days", "features": []}, "features is empty; name at least one column"),
    ],
)
def test_roles_that_cannot_be(roles, told):
    joined = orders().with_(CUSTOMERS, on="customer", name="customers")
    with pytest.raises((InvalidDataError, InvalidParameterError), match=told):
        Ridge().fit(joined, **roles)


def test_a_key_is_one_column_though_two_tables_have_it():
    joined = orders().with_(CUSTOMERS, on="customer", name="customers")
    assert joined.schema.find("customer") == ("orders", "customer")
    assert "customers.customer" not in joined.columns


def test_what_is_no_table_is_refused():
    with pytest.raises(UnsupportedDataError, match="columns have no names"):
        stylobate.join(np.zeros((3, 2)))
    with pytest.raises(InvalidDataError, match=r"different numbers of rows \(a 2, b 1\)"):
        stylobate.join({"a": [1, 2], "b": [1]})
    with pytest.raises(InvalidDataError, match="there is no folder 'nowhere'"):
        stylobate.join("nowhere/orders.parquet")


def test_no_row_is_left():
    joined = orders().with_(
        {"customer": [1], "age": [3.0], "house": [9]}, on="customer", how="inner", name="customers"
    )
    joined = joined.with_(
        {"house": [9, 8], "size": [1.0, 2.0], "days": [9.0, 9.0]},
        on={"house": "house", "orders.days": "days"},
        how="inner",
        name="houses",
    )
    with pytest.raises(InvalidDataError, match="finds a match"):
        len(joined)


def test_missing_cells_of_joined_tables_are_named_as_ever():
    table = {"customer": [1, 2], "age": [30.0, 50.0]}
    joined = orders().with_(table, on="customer", name="customers")
    with pytest.raises(InvalidDataError, match=r"row 3, column 'customers.age'"):
        LinearRegression().fit(joined, target="days", features=["price", "age"])
    assert joined.columns == ("orders.price", "orders.days", "customers.age", "customers.matched")


def test_a_table_that_shrinks_between_passes_is_refused():
    facts = {"k": np.zeros(4, int), "a": np.arange(4.0)}
    joined = stylobate.join(facts, name="facts").with_({"k": [0], "b": [1.0]}, on="k", name="b")
    assert joined.n_rows == 4
    joined._tables[0].origin["k"] = facts["k"][:2]
    joined._tables[0].origin["a"] = facts["a"][:2]
    with pytest.raises(InvalidDataError, match="2 rows where there were 4"):
        Ridge().fit(joined, target="a")
