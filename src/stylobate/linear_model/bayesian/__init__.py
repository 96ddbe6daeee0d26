"""Linear models whose penalties are learnt from the data by their evidence."""
