"""Makes the plugin importable by name, in this process and in those of the runs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
