"""The race: Stylobate against everyone a user would pick instead.

Run it with ``python -m race``. Rules: one run, same data, same threads, contenders interleaved,
each in its own process, best of several calls; a time counts only if the answer is as good as the
best one. Every workload is one file in ``race/workloads``, found by looking there.
"""
