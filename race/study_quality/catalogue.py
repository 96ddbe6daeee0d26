"""The tables: what is asked of them, and how rows that no contender sees are set apart."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

Rows = Any  # a pandas data frame
Split = Literal["random", "time", "group"]


def data_folder() -> Path:
    """Where the tables are: `STYLOBATE_DATA`, or next to the checkout."""
    given = os.environ.get("STYLOBATE_DATA")
    return Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True)
class Asked:
    """One question to one table.

    Attributes
    ----------
    name : str
    traits : str
        What makes it a table of its own: "text", "dates", "wide", "imbalanced", …
    read : callable
        Gives the rows; its argument is the folder of the data.
    target : str
    split : {"random", "time", "group"}
        How an experienced person would set rows apart.
    by : str or None
        The column that says whom rows are about, of a split by group; it is no feature.
    drop : tuple of str
        Columns that are known only with the target.
    null : bool
        Whether the target was shuffled: the right answer is that there is nothing to learn.
    hidden : bool
        Whether a study is not shown `by`, and has to see for itself that rows belong together.
    """

    name: str
    traits: str
    read: Callable[[Path], Rows]
    target: str
    split: Split = "random"
    by: str | None = None
    drop: tuple[str, ...] = ()
    null: bool = False
    hidden: bool = False

    def rows(self, folder: Path) -> Rows:
        """The rows with a target, without the columns that are known only with it."""
        frame = self.read(folder).drop(columns=list(self.drop))
        frame = frame[frame[self.target].notna()].reset_index(drop=True)
        if self.null:
            order = np.random.default_rng(0).permutation(len(frame))
            frame[self.target] = frame[self.target].to_numpy()[order]
        return frame


def csv(path: str, **options: Any) -> Callable[[Path], Rows]:
    def read(folder: Path) -> Rows:
        import pandas as pd

        return pd.read_csv(folder / path, **options)

    return read


def parquet(path: str, columns: list[str] | None = None) -> Callable[[Path], Rows]:
    def read(folder: Path) -> Rows:
        import pandas as pd

        return pd.read_parquet(folder / path, columns=columns)

    return read


def _golub(folder: Path) -> Rows:
    import pandas as pd

    held = np.load(folder / "sparse/golub.npz")
    names = [f"gene{place}" for place in range(held["x"].shape[1])]
    return pd.DataFrame(held["x"], columns=names).assign(kind=held["y"])


def _ijcnn(folder: Path) -> Rows:
    import pandas as pd

    held = np.load(folder / "sparse/ijcnn1.npz")
    frame = pd.DataFrame(held["x_train"], columns=[f"x{place}" for place in range(22)])
    return frame.assign(y=held["y_train"])


def _digits(folder: Path) -> Rows:
    from sklearn.datasets import load_digits

    frame = load_digits(as_frame=True).frame
    return frame.assign(target=frame["target"].map("digit {}".format))


def _air(folder: Path) -> Rows:
    frame = csv(
        "messy/air_quality_semicolon_decimal_comma.csv.gz", sep=";", decimal=",",
        na_values=["-200", "-200,0"],
    )(folder)  # fmt: skip
    import pandas as pd

    frame = frame.dropna(axis=1, how="all").dropna(how="all")
    moments = pd.to_datetime(frame["Date"] + " " + frame["Time"], format="%d/%m/%Y %H.%M.%S")
    kept = ["T", "RH", "AH", "NO2(GT)", "CO(GT)"]
    return pd.DataFrame({"moment": moments, **{name: frame[name] for name in kept}})


def _repeated(folder: Path) -> Rows:
    """Measurements of which a third come two or three times, slightly apart."""
    frame = csv("time_geo/quakes_fiji.csv")(folder)
    draw = np.random.default_rng(3)
    again = np.concatenate([np.arange(len(frame)), draw.integers(0, len(frame), 400)])
    frame = frame.iloc[again].assign(original=again)
    return frame.iloc[draw.permutation(len(frame))].reset_index(drop=True)


def _newsgroups(folder: Path) -> Rows:
    frame = parquet("text/newsgroups20.parquet")(folder).drop(columns="split")
    return frame.sample(6000, random_state=0).reset_index(drop=True)


def _flights(folder: Path) -> Rows:
    before = [
        "FlightDate", "DayOfWeek", "Operating_Airline", "Origin", "Dest", "CRSDepTime",
        "CRSArrTime", "CRSElapsedTime", "Distance", "ArrDel15",
    ]  # fmt: skip
    return parquet("tabular/us_flights_2024_01.parquet", before)(folder)


def _chinook(folder: Path) -> Rows:
    tracks = csv("relational/chinook/Track.csv.gz")(folder)
    genres = csv("relational/chinook/Genre.csv")(folder)
    named = dict(zip(genres["GenreId"], genres["Name"], strict=True))
    frame = tracks.assign(genre=tracks["GenreId"].map(named))
    common = frame["genre"].value_counts().index[:6]
    kept = frame["genre"].isin(common)
    names = ["Name", "Composer", "Milliseconds", "Bytes", "UnitPrice", "MediaTypeId", "genre"]
    return frame.loc[kept, names].sample(frac=1.0, random_state=0)


FIXED = (
    Asked("titanic", "small, missing", csv("basic/titanic.csv"), "Survived"),
    Asked("penguins", "small", csv("basic/penguins.csv"), "sex"),
    Asked("california", "many rows", csv("basic/california_housing.csv.gz"), "median_house_value"),
    Asked("diabetes", "small", csv("basic/diabetes.csv"), "target"),
    Asked("breast cancer", "small", csv("basic/breast_cancer.csv"), "target"),
    Asked("wine", "tiny", csv("basic/wine.csv"), "target"),
    Asked("diamonds", "many rows", csv("basic/diamonds.csv.gz"), "price"),
    Asked("mpg", "small", csv("basic/mpg.csv"), "mpg"),
    Asked("tips", "tiny", csv("basic/tips.csv"), "tip"),
    Asked("cars", "tiny", csv("basic/mtcars.csv", index_col=0), "mpg"),
    Asked("families", "grouped", csv("basic/galton_families.csv"), "childHeight",
          "group", "family", ("midparentHeight",)),
    Asked("adult", "many rows", csv("tabular/adult.csv.gz"), "income", drop=("split",)),
    Asked("higgs", "numbers", parquet("tabular/higgs_7500.parquet"), "label", drop=("split",)),
    Asked("fraud", "imbalanced, larger", parquet("tabular/creditcard_fraud.parquet"), "Class",
          "time"),
    Asked("flights", "dates, many-valued, larger", _flights, "ArrDel15", "time"),
    Asked("ijcnn", "imbalanced", _ijcnn, "y"),
    Asked("spam", "text, imbalanced", csv("text/sms_spam.csv.gz"), "label"),
    Asked("sentences", "text", csv("text/rt_polarity.csv.gz"), "label"),
    Asked("reviews", "text", parquet("text/movie_reviews_2000.parquet"), "label",
          drop=("fold", "file")),
    Asked("newsgroups", "text, many classes", _newsgroups, "category"),
    Asked("leukaemia", "wide, tiny", _golub, "kind"),
    Asked("digits", "many classes", _digits, "target"),
    Asked("air", "forecasting, dates", _air, "CO(GT)", "time"),
    Asked("salaries", "many-valued, dates", csv("messy/employee_salaries.csv.gz"),
          "current_annual_salary"),
    Asked("rentals", "forecasting, dates", csv("time_geo/bike_sharing_hourly.csv.gz"), "cnt",
          "time", drop=("casual", "registered")),
    Asked("electricity", "forecasting", csv("time_geo/electricity_nsw.csv.gz"), "class", "time"),
    Asked("passengers", "forecasting, tiny", csv("time_geo/airline_passengers.csv"), "Passengers",
          "time"),
    Asked("weather", "forecasting, dates", csv("time_geo/seattle_weather.csv"), "weather", "time"),
    Asked("fiji", "places", csv("time_geo/quakes_fiji.csv"), "mag"),
    Asked("fiji repeated", "duplicated", _repeated, "mag", "group", "original",
          hidden=True),
    Asked("tracks", "text, many-valued", _chinook, "genre"),
    Asked("shuffled titanic", "nothing to learn", csv("basic/titanic.csv"), "Survived", null=True),
    Asked("shuffled diabetes", "nothing to learn", csv("basic/diabetes.csv"), "target", null=True),
)  # fmt: skip
