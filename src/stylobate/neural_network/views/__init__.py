"""Networks looked into: what their layers do to rows, images and losses."""
