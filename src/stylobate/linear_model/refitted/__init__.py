"""The lasso after a first look: refitted where it selected, or weighted by a first estimate."""
