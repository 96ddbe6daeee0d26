"""`TableEncoder`: any table as a numeric design."""
