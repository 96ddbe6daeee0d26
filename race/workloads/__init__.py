"""One file per workload; each defines ``WORKLOAD``. Names with a leading underscore are helpers."""
