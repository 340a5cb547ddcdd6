"""``python -m santase``."""

import sys

from santase.cli import main

if __name__ == "__main__":
    sys.exit(main())
