"""The table of a study: its columns, its division, and checks of both."""
