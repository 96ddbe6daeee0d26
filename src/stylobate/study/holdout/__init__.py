"""The hold-out of a study: its verdict, and how often it was asked."""
