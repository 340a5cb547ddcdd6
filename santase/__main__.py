"""``python -m santase``."""

import sys

from santase.cli import main

sys.exit(main())
