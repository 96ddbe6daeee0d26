"""Real relational data: fits on joins are those on the rows that DuckDB joins."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path

import duckdb
import numpy as np
import pytest

import stylobate
from stylobate import Study
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model import LinearRegression

FOLDER = Path(os.environ.get("STYLOBATE_DATA", Path(__file__).parents[3] / "shared/data"))
SETS = FOLDER / "relational"
pytestmark = pytest.mark.skipif(not SETS.exists(), reason="the shared data are not here")


def check(joined, features, target, sql, plan):
    found = LinearRegression().fit(joined, target=target, features=features)
    rows = duckdb.sql(sql).fetchnumpy()
    columns = [np.ma.filled(each.astype(float), np.nan) for each in rows.values()]
    assert joined.n_rows == len(columns[0])
    assert found.join_plan_.kind == plan
    expected = LinearRegression().fit(np.column_stack(columns[1:]), columns[0])
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-8)
    np.testing.assert_allclose(found.statistic_.mean, expected.statistic_.mean, rtol=1e-10)
    scale = np.sqrt(np.diag(expected.statistic_.scatter))
    difference = (found.statistic_.scatter - expected.statistic_.scatter) / np.outer(scale, scale)
    assert np.abs(difference).max() < 1e-10


def test_flights_with_planes_airports_and_carriers():
    folder = SETS / "nycflights13"
    flights = stylobate.read(folder / "flights.parquet")
    joined = (
        stylobate.join(flights, name="flights")
        .with_(folder / "planes.parquet", on="tailnum", how="left", fill=0.0)
        .with_(folder / "airports.parquet", on={"dest": "faa"}, how="inner")
        .with_(folder / "airlines.csv", on="carrier")
    )
    assert "airlines.carrier" not in joined.columns
    check(
        joined,
        ["flights.hour", "planes.seats", "planes.engines", "airports.lat", "airports.alt",
         "planes.matched"],
        "distance",
        f"""SELECT distance, hour, coalesce(seats, 0), coalesce(engines, 0), lat, alt,
            (p.tailnum IS NOT NULL)::INT FROM '{folder}/flights.parquet' f
            LEFT JOIN '{folder}/planes.parquet' p ON f.tailnum = p.tailnum
            JOIN '{folder}/airports.parquet' a ON f.dest = a.faa""",
        "lookup",
    )  # fmt: skip
    shown = {count.edge.table: count for count in joined.counts}
    assert shown["planes"].matched / shown["planes"].rows == pytest.approx(0.85, abs=0.01)
    with pytest.raises(InvalidDataError, match=r"weather has .* rows with origin='EWR'"):
        len(
            stylobate.join(flights, name="flights").with_(
                folder / "weather.parquet", on=["origin", "year", "month", "day", "hour"]
            )
        )


def test_campaigns_multiply_transactions():
    folder = SETS / "completejourney"
    query = f"SELECT * FROM '{folder}/coupons.parquet' WHERE product_id % 1000 = 0"
    coupons = stylobate.read(query)
    joined = (
        stylobate.join(folder / "transactions_sample.parquet", name="sales")
        .with_(folder / "campaigns.parquet", on="household_id", how="inner", many=True)
        .with_(coupons, on={"campaigns.campaign_id": "campaign_id"}, many=True, how="inner")
    )
    check(
        joined,
        ["sales.quantity", "sales.week", "coupons.product_id"],
        "sales_value",
        f"""SELECT sales_value, quantity, week, u.product_id
            FROM '{folder}/transactions_sample.parquet' s
            JOIN '{folder}/campaigns.parquet' c ON s.household_id = c.household_id
            JOIN (SELECT * FROM '{folder}/coupons.parquet' WHERE product_id % 1000 = 0) u
            ON c.campaign_id = u.campaign_id""",
        "factorised",
    )


def test_invoice_lines_of_a_shop():
    folder = SETS / "online_retail"
    joined = (
        stylobate.join(folder / "invoice_lines.parquet", name="lines")
        .with_(folder / "invoices.parquet", on="InvoiceNo", how="inner")
        .with_(folder / "customers.parquet", on="CustomerID", how="inner")
        .with_(folder / "products.parquet", on="StockCode")
    )
    check(
        joined.select(["lines.UnitPrice", "lines.Quantity"]),
        ["lines.UnitPrice"],
        "Quantity",
        f"""SELECT Quantity, UnitPrice FROM '{folder}/invoice_lines.parquet' l
            JOIN '{folder}/invoices.parquet' i ON l.InvoiceNo = i.InvoiceNo
            JOIN '{folder}/customers.parquet' c ON i.CustomerID = c.CustomerID""",
        "lookup",
    )


def test_a_music_shop_by_its_playlists():
    folder = SETS / "chinook"
    joined = (
        stylobate.join(folder / "InvoiceLine.csv.gz", name="lines")
        .with_(folder / "Track.csv.gz", on="TrackId", how="inner", name="tracks")
        .with_(folder / "Invoice.csv", on="InvoiceId", name="invoices")
        .with_(folder / "Customer.csv", on={"invoices.CustomerId": "CustomerId"}, name="customers")
        .with_(folder / "PlaylistTrack.csv.gz", on="TrackId", how="inner", many=True, name="lists")
    )
    check(
        joined,
        ["lines.UnitPrice", "tracks.Milliseconds", "invoices.Total", "customers.SupportRepId"],
        "tracks.Bytes",
        f"""SELECT t.Bytes, l.UnitPrice, t.Milliseconds, i.Total, c.SupportRepId
            FROM '{folder}/InvoiceLine.csv.gz' l JOIN '{folder}/Track.csv.gz' t USING (TrackId)
            LEFT JOIN '{folder}/Invoice.csv' i USING (InvoiceId)
            LEFT JOIN '{folder}/Customer.csv' c ON i.CustomerId = c.CustomerId
            JOIN '{folder}/PlaylistTrack.csv.gz' p ON l.TrackId = p.TrackId""",
        "factorised",
    )


def test_what_the_guide_shows_of_flights(monkeypatch, capsys):
    page = (Path(__file__).parents[2] / "docs" / "database-study.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", page, flags=re.DOTALL)
    monkeypatch.chdir(SETS)
    exec(code, {})
    assert capsys.readouterr().out == shown


def test_a_study_of_a_music_shop():
    """Lines of an invoice are parts of its total: told; without them the shop is studied."""
    shop = stylobate.database(SETS / "chinook")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = Study(
            shop,
            "Invoice.Total",
            models=["ridge"],
            time=4,
            drop=["Customer.*", "earlier Invoice.*"],
        ).run()
    roles = {each.name: each.role for each in result.relations.tables}
    assert roles["InvoiceLine"] == "aggregated"
    assert roles["Customer"] == roles["Track"] == "left out"
    leaks = {each.column for each in result.warnings if each.severe}
    assert "InvoiceLine.sum of UnitPrice" in leaks
