"""What the commands print where nobody watches: into a file, or to another program."""

from __future__ import annotations

import re
from typing import Any

from rich.console import Console


class Piped(Console):
    """A console whose lines do not end in the blanks that tables are filled up with."""

    def print(self, *objects: Any, **options: Any) -> None:
        with self.capture() as shown:
            super().print(*objects, **options)
        self.file.write(re.sub(r" +\n", "\n", shown.get()))
        self.file.flush()
