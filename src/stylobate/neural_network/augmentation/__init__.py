"""Images changed at random, in ways that leave their labels alone."""
