"""Draw the pictures of docs/plots.md and docs/notebooks.md: ``python tools/plot_examples.py``."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import santase
from santase import plot
from santase.drawing import table_svg
from santase.review import review

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"


def played_match(seed: int, worlds: int) -> santase.Game:
    """A match of the player against itself."""
    game = santase.Game("santase", seed=seed, match=True, players=("Ana", "Boris"))
    while not game.is_over:
        if game.position.is_over:
            game.next_hand()
        else:
            game.play(santase.best_move(game.view(), worlds=worlds, seed=game.hand_number))
    return game


def main() -> None:
    view = santase.Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")
    analysis = santase.analyze(view, worlds=4000, seed=1)
    game = santase.Game.load(ROOT / "examples" / "hand.txt")
    drawn = {
        "plot-actions": plot.actions(analysis),
        "plot-results": plot.results(analysis, "AC"),
        "plot-hand": plot.hand(review(game, worlds=1000, seed=1)),
        "plot-match": plot.match(played_match(5, 20)),
    }
    for name, axes in drawn.items():
        axes.figure.savefig(IMAGES / f"{name}.png", dpi=110, metadata={"Software": None})
    values = {action: estimate.mean for action, estimate in analysis.actions.items()}
    (IMAGES / "notebook.svg").write_text(table_svg(view, values=values, best=analysis.best) + "\n", "utf-8")


if __name__ == "__main__":
    main()
