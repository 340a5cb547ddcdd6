"""Hands played at random, and their records as a player might write them down afterwards."""

import random
from collections.abc import Collection

from santase import RULES, Game


def random_game(seed: int, rules: str | None = None) -> Game:
    """One hand; 66 is called when it has been reached, and seldom wrongly."""
    chance = random.Random(seed)
    game = Game(rules or list(RULES)[seed % len(RULES)], seed=seed)
    while not game.position.is_over:
        mover = game.position.to_move
        actions = game.legal_actions()
        if "call" in actions and game.position.points[mover] < 66 and chance.random() < 0.99:
            actions = [action for action in actions if action != "call"]
        game.play(chance.choice(actions))
    return game


def remembered(
    game: Game, viewer: int, *, draws: str = "mine", forgotten: Collection[int] = (), points: bool = True
) -> str:
    """A hand's record as ``viewer`` might write it: ``draws`` of ``mine``, ``all`` or ``none`` are
    written, and the actions ``forgotten`` are left as unknown cards."""
    lines = [
        "santase record 1",
        f"rules: {game.rules}",
        "play: hand",
        f"hand 1: {game.dealer} deals",
        f"deal: {game.deal.view(viewer)}",
    ]
    position = game.deal
    words: list[str] = []
    for number, action in enumerate(game.actions):
        words = words or [f"{sum(position.tricks) + 1}. {position.to_move}:"]
        if position.led is not None:
            words.append(f"{position.to_move}:")
        words.append("?" if number in forgotten else action)
        after = position.play(action)
        if position.led is not None:
            words.append(f"{after.leader} takes")
            if points:
                words.append(f"{after.points[0]}/{after.points[1]}")
            if after.facedown < position.facedown and draws != "none":
                talon = position.talon or ()
                drawn = talon[0], talon[1] if position.facedown > 1 else position.turned
                shown = [
                    card if draws == "all" or drawer == viewer else "?"
                    for card, drawer in zip(drawn, (after.leader, 1 - after.leader), strict=True)
                ]
                words.append(f"draws: {' '.join(map(str, shown))}")
            lines.append(" ".join(words))
            words = []
        position = after
    if words:
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"
