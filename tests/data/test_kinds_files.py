"""Every file of the test data: its shape, and the kind of each column, as an expert says.

The table was written before any code was asked. One letter per column: B binary, N numeric, O
ordinal, C nominal, D datetime, G geospatial, T text, I identifier, K constant; a number before a
letter repeats it.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stylobate import read

LETTERS = {
    "B": "binary",
    "N": "numeric",
    "O": "ordinal",
    "C": "nominal",
    "D": "datetime",
    "G": "geospatial",
    "T": "text",
    "I": "identifier",
    "K": "constant",
}

SHIPPED = {
    "penguins": (344, "CC 4N B N"),
    "diabetes": (442, "N B 9N"),
    "titanic": (1313, "T O N B B"),
}

FILES = {
    "basic/titanic.csv": (891, "IBOTBNNNCNCC"),
    "basic/titanic_seaborn.csv": (891, "BOB 4N COCBCCBB"),
    "basic/titanic_all.csv": (1313, "TONBB"),
    "basic/galton.csv": (928, "NN"),
    "basic/galton_families.csv": (934, "C 5N B N"),
    "basic/iris.csv": (150, "4N C"),
    "basic/penguins.csv": (344, "CC 4N B N"),
    "basic/penguins_raw.csv": (344, "CNCKCKCBD 4N B NNC"),
    "basic/california_housing.csv.gz": (20640, "GG 7N C"),
    "basic/diabetes.csv": (442, "N B 9N"),
    "basic/breast_cancer.csv": (569, "30N B"),
    "basic/wine.csv": (178, "13N C"),
    "basic/linnerud.csv": (20, "6N"),
    "basic/diamonds.csv.gz": (53940, "NOOO 6N"),
    "basic/mpg.csv": (398, "7N CC"),
    "basic/tips.csv": (244, "NNBBOBN"),
    "basic/mtcars.csv": (32, "I 7N BB NN"),
    "tabular/adult.csv.gz": (48842, "NCNCN 4C B 3N C BB"),
    "tabular/us_flights_2024_01.parquet": (582425, "DO 10C 3N B 5N B B C B 8N"),
    "tabular/creditcard_fraud.parquet": (284807, "30N B"),
    "tabular/higgs_7500.parquet": (7500, "B 28N B"),
    "relational/nycflights13/flights.parquet": (336776, "K 8N 5C 4N D"),
    "relational/nycflights13/airlines.csv": (16, "II"),
    "relational/nycflights13/airports.parquet": (1458, "ITGGNNCC"),
    "relational/nycflights13/planes.parquet": (3322, "INCCCNNNC"),
    "relational/nycflights13/weather.parquet": (26115, "CK 12N D"),
    "relational/completejourney/transactions_sample.parquet": (75000, "4C 6N D"),
    "relational/completejourney/products.parquet": (92331, "ICCBCCC"),
    "relational/completejourney/demographics.parquet": (801, "IOOCBOCO"),
    "relational/completejourney/promotions_sample.parquet": (360535, "CBCCN"),
    "relational/completejourney/coupons.parquet": (116204, "CCC"),
    "relational/completejourney/coupon_redemptions.parquet": (2102, "CCCD"),
    "relational/completejourney/campaigns.parquet": (6589, "CC"),
    "relational/completejourney/campaign_descriptions.parquet": (27, "ICDD"),
    "relational/online_retail/invoice_lines.parquet": (541909, "CCNN"),
    "relational/online_retail/invoices.parquet": (25900, "IDCC"),
    "relational/online_retail/products.parquet": (4070, "IT"),
    "relational/online_retail/customers.parquet": (4372, "ICD"),
    "relational/chinook/Album.csv": (347, "IIC"),
    "relational/chinook/Artist.csv": (275, "II"),
    "relational/chinook/Customer.csv": (59, "ICIIICCCIIIIC"),
    "relational/chinook/Employee.csv": (8, "IIICCDDICKKICII"),
    "relational/chinook/Genre.csv": (25, "II"),
    "relational/chinook/Invoice.csv": (412, "ICD 5C N"),
    "relational/chinook/InvoiceLine.csv.gz": (2240, "ICCBK"),
    "relational/chinook/MediaType.csv": (5, "II"),
    "relational/chinook/Playlist.csv": (18, "IC"),
    "relational/chinook/PlaylistTrack.csv.gz": (8715, "CC"),
    "relational/chinook/Track.csv.gz": (3503, "IT 4C NNB"),
    "text/sms_spam.csv.gz": (5574, "BT"),
    "text/rt_polarity.csv.gz": (10662, "BT"),
    "text/movie_reviews_2000.parquet": (2000, "BCIT"),
    "text/newsgroups20.parquet": (18821, "BCT"),
    "time_geo/bike_sharing_hourly.csv.gz": (17379, "DIBO 7N"),
    "time_geo/electricity_nsw.csv.gz": (45312, "NO 6N B"),
    "time_geo/airline_passengers.csv": (144, "DN"),
    "time_geo/seattle_weather.csv": (1461, "D 4N C"),
    "time_geo/earthquakes_23k.csv.gz": (23412, "DGGN"),
    "time_geo/quakes_fiji.csv": (1000, "GG 3N"),
    "time_geo/world_cities.csv.gz": (45065, "CGG"),
    "clustering/eurodist_km.csv": (21, "I 21N"),
    "clustering/uscities_miles.csv": (10, "I 10N"),
    "clustering/INDEX.csv": (35, "CINBCN"),
    "reference/statsmodels/data/anes96.csv": (944, "NN 4O N O N B"),
    "reference/statsmodels/data/co2.csv": (2284, "DN"),
    "reference/statsmodels/data/elnino.csv": (61, "13N"),
    "reference/statsmodels/data/engel.csv": (235, "NN"),
    "reference/statsmodels/data/grunfeld.csv": (220, "3N C N"),
    "reference/statsmodels/data/longley.csv": (16, "I 7N"),
    "reference/statsmodels/data/macrodata.csv": (203, "NO 12N"),
    "reference/statsmodels/data/modechoice.csv": (840, "CCB 6N"),
    "reference/statsmodels/data/nile.csv": (100, "NN"),
    "reference/statsmodels/data/randhie.csv.gz": (20190, "NNB 4N BBB"),
    "reference/statsmodels/data/stackloss.csv": (21, "4N"),
    "reference/statsmodels/data/statecrime.csv": (51, "I 7N"),
    "reference/statsmodels/data/strikes.csv": (62, "NN"),
    "reference/statsmodels/data/sunspots.csv": (309, "NN"),
    "reference/statsmodels/testdata/dietox.csv": (861, "INNNCOOC"),
    "reference/statsmodels/testdata/enet_binomial.csv": (200, "B 5N"),
    "reference/statsmodels/testdata/enet_poisson.csv": (200, "6N"),
    "reference/statsmodels/testdata/lasso_data.csv": (300, "6N"),
    "reference/statsmodels/testdata/lme00.csv": (240, "CNNK"),
    "reference/statsmodels/testdata/lme01.csv": (254, "CNNK"),
    "reference/statsmodels/testdata/lme02.csv": (235, "CNNNK"),
    "reference/statsmodels/testdata/lme03.csv": (229, "CNNNK"),
    "reference/statsmodels/testdata/lme04.csv": (252, "C 4N K"),
    "reference/statsmodels/testdata/lme05.csv": (268, "C 4N K"),
    "reference/statsmodels/testdata/lme06.csv": (260, "CNNKN"),
    "reference/statsmodels/testdata/lme07.csv": (261, "CNNKN"),
    "reference/statsmodels/testdata/lme08.csv": (249, "CNNNKN"),
    "reference/statsmodels/testdata/lme09.csv": (255, "CNNNKN"),
    "reference/statsmodels/testdata/lme10.csv": (262, "C 4N KN"),
    "reference/statsmodels/testdata/lme11.csv": (261, "C 4N KN"),
    "reference/statsmodels/testdata/pastes.csv": (60, "INCCC"),
    "reference/statsmodels/testdata/ships.csv": (40, "COBNN 4B"),
    "reference/statsmodels/testdata/stata_cancer_glm.csv": (48, "NNC"),
    "reference/statsmodels/testdata/stata_lbw_glm.csv": (189, "IBNNCBNBBNN"),
    "reference/statsmodels/testdata/stata_medpar1_glm.csv.gz": (3676, "NBN"),
}

# Where neither values nor names tell what an expert knows: what we say instead.
SM = "reference/statsmodels"
KNOWN_TO_DIFFER: dict[tuple[str, str], str] = {
    ("basic/diamonds.csv.gz", "color"): "nominal",  # D to J: letters in order
    ("tabular/us_flights_2024_01.parquet", "Flight_Number_Operating_Airline"): "numeric",
    ("relational/nycflights13/flights.parquet", "flight"): "numeric",
    ("relational/nycflights13/planes.parquet", "engines"): "ordinal",
    ("relational/chinook/Employee.csv", "ReportsTo"): "numeric",
    ("relational/chinook/MediaType.csv", "Name"): "nominal",  # five rows are too few to tell
    (f"{SM}/data/anes96.csv", "selfLR"): "numeric",  # seven steps, like counts
    (f"{SM}/data/anes96.csv", "ClinLR"): "numeric",
    (f"{SM}/data/anes96.csv", "DoleLR"): "numeric",
    (f"{SM}/data/anes96.csv", "PID"): "numeric",
    (f"{SM}/data/anes96.csv", "educ"): "numeric",
    (f"{SM}/data/co2.csv", "date"): "numeric",  # 19580329
    (f"{SM}/data/modechoice.csv", "individual"): "numeric",
    (f"{SM}/data/modechoice.csv", "mode"): "ordinal",
    (f"{SM}/testdata/dietox.csv", "Pig"): "numeric",
    (f"{SM}/testdata/dietox.csv", "Litter"): "numeric",
    (f"{SM}/testdata/ships.csv", "ship"): "ordinal",
    (f"{SM}/testdata/stata_cancer_glm.csv", "drug"): "ordinal",
    (f"{SM}/testdata/stata_lbw_glm.csv", "ptl"): "ordinal",
}


# Written after the verdicts had been seen, each judged by reading the column.
MESSY = {
    "air_quality_semicolon_decimal_comma.csv.gz": (9471, "2D 13N 2K"),
    "drug_use_dash_missing.csv": (17, "O 27N"),
    "dutch_budget_multirow_header.csv": (36, "2I 12N 6K"),
    "earthquake_cr_newlines.csv.gz": (3502, "6T 12G"),
    "employee_salaries.csv.gz": (9228, "B 3C B C D 2N"),
    "fy09_edu_thousands_trailing_comma.csv": (53, "3I 6N K"),
    "fy10_edu_preamble.csv": (55, "2I 7N"),
    "german_budget_cp1252_sparse.csv.gz": (2237, "I T 2C"),
    "german_doctors_padded_header.csv": (76, "C 9N K"),
    "ks_1033_datetimes.csv.gz": (1575, "K 4C N C 2N D 4C"),
    "medicare_cost_currency.csv.gz": (10000, "11C 2N K 3N"),
    "montreal_bikes_latin1_semicolon.csv": (310, "D N K 6N K"),
    "nyc311_animals.csv.gz": (4969, "I 2D 15C K B K D 2C 2N K C 3G"),
    "pollster_ratings_percent.csv": (453, "2I N B 2C B N O C 8N 2C 2N D"),
    "starwars_survey_cp1252.csv.gz": (1186, "I 8B 20O C 4B 3O C"),
    "taiwan_attractions_big5.csv.gz": (382, "3I T C K 2G C K 3C 2K 3T"),
}

# {file: [(places of columns, verdict)]} where an expert who reads names and neighbours says more
MESSY_KNOWN_TO_DIFFER = {
    "dutch_budget_multirow_header.csv": [([1], "C")],  # two rows repeat a name
    "earthquake_cr_newlines.csv.gz": [([1], "C")],  # two rows are too few
    "german_doctors_padded_header.csv": [([1], "C")],  # four cells, two of them words
    "ks_1033_datetimes.csv.gz": [([10, 12], "N")],  # classes of supplies
    "medicare_cost_currency.csv.gz": [([3], "N")],  # groups of diagnoses
    "nyc311_animals.csv.gz": [([30], "C")],  # points as text
    "pollster_ratings_percent.csv": [([8], "C")],  # grades from A+ to F
    "starwars_survey_cp1252.csv.gz": [
        ([3, 4, 5, 6, 7, 8], "K"),
        ([9, 10, 11, 12, 13, 14], "N"),
        ([15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 36], "C"),
    ],  # ticked boxes; ranks; how favourably; education
    "taiwan_attractions_big5.csv.gz": [
        ([6, 7], "N"),
        ([15], "I"),
        ([16, 17], "C"),
    ],  # coordinates named in Chinese; short sentences
}


def kinds_of(letters: str) -> list[str]:
    """The kinds a row of letters stands for."""
    parts = re.findall(r"(\d*)([A-Z])", letters)
    return [LETTERS[letter] for count, letter in parts for _ in range(int(count or 1))]


ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("STYLOBATE_DATA", ROOT.parent / "shared" / "data"))
needs_data = pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder of test data is not here")


def check(source, key, expected):
    rows, letters = expected
    relation = read(source)
    kinds = kinds_of(letters)
    assert relation.shape == (rows, len(kinds))
    for column, kind in zip(relation.schema, kinds, strict=True):
        ours = KNOWN_TO_DIFFER.get((key, column.name), kind)
        assert column.kind == ours, (column, kind)
        assert column.reason
        assert ours != kind or (key, column.name) not in KNOWN_TO_DIFFER


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped(name):
    check(name, name, SHIPPED[name])


@needs_data
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FILES)
def test_file(name):
    check(FOLDER / name, name, FILES[name])


@needs_data
@pytest.mark.parametrize("name", MESSY)
def test_messy_file(name):
    rows, letters = MESSY[name]
    expected = kinds_of(letters)
    differ = {
        place: LETTERS[letter]
        for places, letter in MESSY_KNOWN_TO_DIFFER.get(name, [])
        for place in places
    }
    relation = read(FOLDER / "messy" / name)
    assert relation.shape == (rows, len(expected))
    for place, column in enumerate(relation.schema):
        assert column.kind == differ.get(place, expected[place]), (place, column)
    assert all(differ[place] != expected[place] for place in differ)


@needs_data
def test_no_messy_file_is_left_out():
    assert {path.name for path in (FOLDER / "messy").iterdir()} == set(MESSY)


@needs_data
def test_clusterings():
    """Coordinates are numeric, labellings nominal, or binary where there are two labels."""
    seen = Counter()
    for path in sorted((FOLDER / "clustering").glob("*/*.csv.gz")):
        frame = pd.read_csv(path)
        for column in read(path).schema:
            n_labels = frame[column.name].nunique()
            labels = {1: "constant", 2: "binary"}.get(n_labels, "nominal")
            expected = labels if column.name.startswith("labels") else "numeric"
            assert column.kind == expected, (path.name, column)
            seen[expected] += 1
    assert seen["numeric"] >= 70
    assert seen["nominal"] >= 30


@needs_data
def test_no_table_is_left_out():
    with (FOLDER / "MANIFEST.csv").open(encoding="utf-8") as file:
        paths = [row["path"] for row in csv.DictReader(file)]
    tables = {path for path in paths if path.endswith((".csv", ".csv.gz", ".parquet"))}
    elsewhere = {
        p for p in tables if p.startswith("messy/") or (p.count("/") == 2 and "clust" in p)
    }
    assert tables - elsewhere == set(FILES)


def test_different_values_are_counted_or_said_to_be_estimated(monkeypatch) -> None:
    values = np.random.default_rng(0).normal(size=50_000).round(4)
    rows = pd.DataFrame({"x": values, "name": [f"n{v}" for v in values]})
    exact = len(set(values.tolist()))
    assert [column.n_distinct for column in read(rows).schema] == [exact, exact]
    assert "about" not in str(read(rows).schema)
    monkeypatch.setattr("stylobate.data.reading.kinds.COUNTED_ROWS", 10_000)
    column = read(rows).schema["x"]
    assert column.reason.endswith(f"; about {column.n_distinct} different values")
    assert column.n_distinct == pytest.approx(exact, rel=0.2)


def test_each_coordinate_has_its_own_range() -> None:
    rows = pd.DataFrame({"lat": [50.7, 51.2, 3.0], "lon": [7.1, -120.5, 8.0]})
    schema = read(rows).schema
    assert "from 3 to 51.2" in schema["lat"].reason
    assert "from -120.5 to 8" in schema["lon"].reason
