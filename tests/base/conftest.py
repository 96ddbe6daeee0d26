"""Makes the small estimators importable by name, so that they can be pickled."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
