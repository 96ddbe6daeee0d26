"""What neighbours say: labels, numbers, outliers."""
