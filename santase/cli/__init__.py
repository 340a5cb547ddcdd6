"""The ``santase`` command.

A command is a module of this package with one function, listed in ``_app``:
its parameters are the options, its docstring is the help, and what it returns
is the exit status. Errors about input are raised as anywhere in the library.

Exit status: 0 all went well; 1 the output could not be written; 2 bad input,
in any of the lines where many are read; 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the program's; returns the exit status."""
    try:
        # what takes time to import is imported where Ctrl-C is seen to
        from santase.cli._app import run

        return run(sys.argv[1:] if argv is None else list(argv))
    except KeyboardInterrupt:
        return 130
