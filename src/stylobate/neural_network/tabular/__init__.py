"""Networks for tables: columns of any kind, an ensemble of members in one compiled network."""
