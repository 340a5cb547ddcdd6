"""The table of docs/learning.md is the layout."""

import re
from pathlib import Path

from santase.env import LAYOUT

PAGE = (Path(__file__).parent.parent / "docs" / "learning.md").read_text(encoding="utf-8")


def test_table_is_the_layout():
    rows = re.findall(r"^\| (\d+)(?:–(\d+))? \| `(\w+)` \| (.*) \| (yes|no) \|$", PAGE, re.MULTILINE)
    assert [
        (int(first), int(last or first), name, meaning, known) for first, last, name, meaning, known in rows
    ] == [
        (
            field.start,
            field.start + field.size - 1,
            field.name,
            field.meaning,
            "yes" if field.public else "no",
        )
        for field in LAYOUT
    ]
