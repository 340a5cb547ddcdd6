"""Files written so that nothing saved before is ever lost."""

from __future__ import annotations

import contextlib
import os


def replace_file(path: str, data: bytes, *, private: bool = False) -> None:
    """Write a file to the side and put it in the place of ``path`` in one step.

    A ``private`` file is for its owner's eyes alone, from the beginning. Raises
    ``OSError``, which names ``path``; what was there before is then still there.
    """
    path = os.path.abspath(path)
    aside = f"{path}.{os.urandom(6).hex()}.tmp"
    try:
        with open(aside, "xb", opener=_open_private if private else None) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            if not private:
                os.chmod(aside, os.stat(path).st_mode & 0o7777)
        os.replace(aside, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, path) from None
        raise
    # the new name too must last; not every system opens directories
    with contextlib.suppress(OSError):
        directory = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
