"""t-SNE: affinities of rows, and the map whose affinities are nearest to them."""
