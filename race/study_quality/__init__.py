"""How good a study's model is: score and time against what a careful person would have written."""
