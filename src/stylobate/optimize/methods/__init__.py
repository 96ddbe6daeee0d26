"""Methods: how to get from a start to a minimum, one iteration after another."""
