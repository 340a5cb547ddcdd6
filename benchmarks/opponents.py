"""What opponents that are not like it win against the library's player.

    python benchmarks/opponents.py
    python benchmarks/opponents.py --pairs 100 --player santase:worlds=50
    python benchmarks/opponents.py --also policy:weights=runs/response/response.npz --logs runs/opponents --save table.json

Holds an arena of mirrored deals between each opponent and the player, without
search and with, and prints a table in Markdown. With ``--logs`` a run that was
stopped goes on; players without a time limit give the same table anywhere.
Needs the extra ``arena``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from santase.arena import ArenaResult, arena
from santase.cli._text import number  # noqa: F401

OPPONENTS = {
    "random": "any legal action",
    "greedy": "rules of thumb",
    "closer": "the same, closes whenever it may",
    "never-closes": "the same, never closes",
    "policy:closes=always": "the learned policy, closes whenever it may",
    "policy:closes=no": "the learned policy, never closes",
    "policy:sampled=yes": "the learned policy, drawn by its probabilities",
    "ismcts:worlds=2000": "plain tree search",
}
