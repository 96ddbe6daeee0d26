"""``python -m stylobate``: the command, where scripts are not on the path."""

from stylobate.cli import main

main()
