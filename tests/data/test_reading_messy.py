"""Real files as they were found: rows, columns, encoding and types of a correct reading."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from stylobate import read

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("STYLOBATE_DATA", ROOT.parent / "shared" / "data")) / "messy"


class Expected(NamedTuple):
    shape: tuple[int, int]
    encoding: str
    types: dict[str, str]


TABLE = {
    "air_quality_semicolon_decimal_comma.csv.gz": Expected(
        (9471, 17), "utf-8", {"Date": "DATE", "CO(GT)": "DOUBLE", "PT08.S1(CO)": "BIGINT"}
    ),
    "drug_use_dash_missing.csv": Expected(
        (17, 28), "utf-8", {"age": "VARCHAR", "heroin_frequency": "DOUBLE"}
    ),
    "dutch_budget_multirow_header.csv": Expected(
        (36, 20), "utf-8", {"NR.": "BIGINT", "provincie / A / Groningen": "DOUBLE"}
    ),
    "earthquake_cr_newlines.csv.gz": Expected((3502, 18), "utf-8", {"0 Deaths, lat": "DOUBLE"}),
    "employee_salaries.csv.gz": Expected(
        (9228, 9), "utf-8", {"date_first_hired": "DATE", "current_annual_salary": "DOUBLE"}
    ),
    "fy09_edu_thousands_trailing_comma.csv": Expected(
        (53, 10), "utf-8", {"Code": "VARCHAR", "TOTAL": "DOUBLE"}
    ),
    "fy10_edu_preamble.csv": Expected((55, 9), "utf-8", {"State Name": "VARCHAR"}),
    "german_budget_cp1252_sparse.csv.gz": Expected((2237, 4), "cp1252", {"LP": "VARCHAR"}),
    "german_doctors_padded_header.csv": Expected((76, 11), "utf-8", {"1993": "BIGINT"}),
    "ks_1033_datetimes.csv.gz": Expected((1575, 14), "utf-8", {"ship_date": "TIMESTAMP"}),
    "medicare_cost_currency.csv.gz": Expected(
        (10000, 17), "utf-8", {"Average Covered Charges": "DOUBLE", "Total Payment": "DOUBLE"}
    ),
    "montreal_bikes_latin1_semicolon.csv": Expected(
        (310, 10), "cp1252", {"Date": "DATE", "Côte-Sainte-Catherine": "BIGINT"}
    ),
    "nyc311_animals.csv.gz": Expected((4969, 31), "utf-8", {"Created Date": "TIMESTAMP"}),
    "pollster_ratings_percent.csv": Expected(
        (453, 23), "utf-8-sig", {"Races Called Correctly": "DOUBLE"}
    ),
    "starwars_survey_cp1252.csv.gz": Expected((1186, 38), "cp1252", {"RespondentID": "BIGINT"}),
    "taiwan_attractions_big5.csv.gz": Expected((382, 18), "big5", {"X坐標": "DOUBLE"}),
}


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the messy files are not here")
@pytest.mark.parametrize("name", TABLE)
def test_messy_file(name: str) -> None:
    expected = TABLE[name]
    rows = read(FOLDER / name)
    assert rows.shape == expected.shape
    assert rows.notes[0].startswith(f"encoding {expected.encoding} (")
    assert {column: rows.types[column] for column in expected.types} == expected.types
    assert len(set(rows.columns)) == len(rows.columns)


KINDS = {
    "air_quality_semicolon_decimal_comma.csv.gz": {"Date": "datetime", "CO(GT)": "numeric"},
    "drug_use_dash_missing.csv": {"age": "ordinal", "heroin_frequency": "numeric"},
    "dutch_budget_multirow_header.csv": {"NR.": "identifier"},
    "earthquake_cr_newlines.csv.gz": {"0 Deaths, lat": "geospatial", "0 Deaths, lon": "geospatial"},
    "employee_salaries.csv.gz": {
        "gender": "binary",
        "employee_position_title": "nominal",
        "date_first_hired": "datetime",
        "current_annual_salary": "numeric",
    },
    "fy09_edu_thousands_trailing_comma.csv": {"Code": "identifier", "TOTAL": "numeric"},
    "ks_1033_datetimes.csv.gz": {"state": "constant", "fips": "nominal", "ship_date": "datetime"},
    "medicare_cost_currency.csv.gz": {
        "Provider Id": "nominal",
        "Average Covered Charges": "numeric",
    },
    "montreal_bikes_latin1_semicolon.csv": {
        "Date": "datetime",
        "Brébeuf (données non disponibles)": "constant",
    },
    "nyc311_animals.csv.gz": {
        "Unique Key": "identifier",
        "Closed Date": "datetime",
        "Incident Zip": "nominal",
        "Latitude": "geospatial",
    },
    "pollster_ratings_percent.csv": {
        "Races Called Correctly": "numeric",
        "Banned by 538": "binary",
        "latest_poll": "datetime",
    },
    "starwars_survey_cp1252.csv.gz": {
        "RespondentID": "identifier",
        "Age / Response": "ordinal",
        "Household Income / Response": "ordinal",
    },
    "taiwan_attractions_big5.csv.gz": {"id": "identifier", "X坐標": "numeric"},
}


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the messy files are not here")
@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_messy_files(name: str) -> None:
    schema = read(FOLDER / name).schema
    assert {column: schema[column].kind for column in KINDS[name]} == KINDS[name]
