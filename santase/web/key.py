"""The key that signs games, kept from one start of the server to the next.

It is 32 random bytes in a file that only its owner may read, in the folder
where the system keeps a program's data. Whoever has it can tell the computer's
cards from a game's state; nothing else depends on it.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from platformdirs import user_data_path

from santase.files import replace_file

_SIZE = 32


def kept_key(path: Path | None = None) -> tuple[bytes, bool]:
    """The key, made at the first start, and whether it will be there at the next.

    ``path`` is the file, by default ``page.key`` among the program's data. A file
    that is no key is replaced; where none can be kept the key is one for now.
    """
    file = path or user_data_path("santase", appauthor=False) / "page.key"
    with contextlib.suppress(OSError):
        key = file.read_bytes()
        if len(key) == _SIZE:
            return key, True
    key = os.urandom(_SIZE)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(str(file), key, private=True)
    except OSError:
        return key, False
    return key, True
