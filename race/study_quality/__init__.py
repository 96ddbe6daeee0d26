"""How good a study's model is: score and time against what a careful person would have written.

With `RACE_CLOCK=cpu` in the environment all contenders go by the CPU time of the process, which
other work on the machine does not change; one thread each (see `__main__`).
"""

import os
import time

if os.environ.get("RACE_CLOCK") == "cpu":  # before anything imports the clock by its name
    vars(time)["perf_counter"] = time.process_time
