"""A review in words: for the terminal and for the page, in the language of the context."""

from __future__ import annotations

import math

from santase._core import Position
from santase.actions import Action
from santase.cards import SUIT_SIGNS, SUITS
from santase.drawing import action_sign, outcome_in_words, player_name, value_in_words
from santase.language import Number, _, pgettext
from santase.review import Decision, Review, Tally


def phase_name(phase: str | None) -> str:
    return {
        "open": _("talon open"),
        "closed": _("talon closed"),
        "exhausted": _("talon exhausted"),
        None: _("not known"),
    }[phase]


def phase_state(phase: str) -> str:
    """The phase in the one word that tells it from the others: ``open``."""
    return phase_name(phase).rsplit(" ", 1)[1]


def verdict_name(decision: Decision) -> str:
    verdict = decision.verdict
    if verdict == "mistake":
        return _("mistake")
    if verdict == "even":
        return _("as good") if decision.stderr == 0 else _("unclear")
    return {
        "best": _("best"),
        "forced": _("no choice"),
        "unknown": _("not judged"),
    }[verdict]


def _card(card: str) -> str:
    return action_sign(Action(card))


def doing(action: Action | None, position: Position | None) -> str:
    """An action as one would say it: ``lead 10♠``, ``close the talon``."""
    if action is None:
        return _("a card that is not known")
    if action.card is not None:
        if position is None:
            return _card(action.card)
        return (
            pgettext("action", "play {card}") if position.led else pgettext("action", "lead {card}")
        ).format(card=_card(action.card))
    if action.suit is not None:
        return pgettext("action", "declare the marriage in {suit}").format(
            suit=SUIT_SIGNS[SUITS.index(action.suit)]
        )
    if action.kind == "exchange":
        if position is None or position.turned is None:
            return pgettext("action", "exchange for the turned card")
        low = _card(position.rules.exchange_rank + position.trump)
        return pgettext("action", "exchange {card} for {turned}").format(
            card=low, turned=_card(position.turned)
        )
    if action.kind == "close":
        return pgettext("action", "close the talon")
    return pgettext("action", "call {points}").format(
        points=66 if position is None else position.rules.target
    )


def where(decision: Decision, review: Review) -> str:
    """``hand 2, trick 3, Ana, talon open``."""
    parts = [
        _("trick {number}").format(number=decision.step.trick),
        player_name(decision.player, review.players),
        phase_name(decision.phase),
    ]
    if review.recollection.is_match:
        parts.insert(0, _("hand {number}").format(number=decision.hand))
    return ", ".join(parts)


def _loss(cost: float, error: float) -> str:
    """``0.78 ± 0.05``, with a real minus; a dash for an error that is not known."""
    known = f"{Number(error):.2f}" if math.isfinite(error) else "–"
    return f"{Number(cost):.2f} ± {known}".replace("-", "−")


def cost_text(decision: Decision) -> str:
    """``0.78 ± 0.05``, ``1`` where it is exact, a dash where it is unknown."""
    cost, error = decision.cost, decision.stderr
    if math.isnan(cost):
        return "–"
    if error == 0:
        return f"{Number(cost):g}".replace("-", "−")
    if not math.isfinite(error):
        return "?"
    return _loss(cost, error)


def lost_text(tally: Tally) -> str:
    """What a player's choices cost in all: ``0.78 ± 0.05``, dashes where that is unknown."""
    if not tally.judged:
        return "–"
    return _loss(tally.cost, tally.stderr)


def _points(value: float) -> str:
    return value_in_words(int(value)) if value == int(value) else value_in_words(value)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def explain(decision: Decision, review: Review) -> list[str]:
    """What there is to say of a decision, in sentences."""
    view = decision.step.view
    player = player_name(decision.player, review.players)
    if decision.verdict == "unknown" or decision.analysis is None:
        return [*_unknown(decision, player), *_open_cards(decision)]
    if decision.verdict == "forced":
        return [_("There was no other action."), *_open_cards(decision)]
    best, chosen = decision.expected, decision.expected_chosen
    assert best is not None and chosen is not None and decision.best is not None
    words = {
        "player": player,
        "best": doing(decision.best, view),
        "chosen": doing(decision.action, view),
        "best_value": _points(best.mean),
        "chosen_value": _points(chosen.mean),
        "cost": cost_text(decision),
    }
    said = []
    if decision.verdict == "best":
        said.append(
            _("Best on what {player} knew: {chosen}, worth {chosen_value} game points.").format(**words)
        )
    elif decision.verdict == "even" and decision.stderr == 0:
        said.append(
            _("Chosen: {chosen}, worth {chosen_value} game points on what {player} knew; {best} was worth the"
              " same.").format(**words)
        )  # fmt: skip
    elif decision.verdict == "even":
        said.append(
            _("Chosen: {chosen}, worth {chosen_value} game points on what {player} knew.").format(**words)
        )
        said.append(
            _("The analysis prefers: {best}, worth {best_value}. The difference, {cost}, is not told from"
              " chance.").format(**words)
        )  # fmt: skip
    else:
        said.append(_("Chosen: {chosen}. Best on what {player} knew: {best}.").format(**words))
        said.append(
            _("Worth {chosen_value} instead of {best_value} game points: the choice cost {cost}.").format(
                **words
            )
        )
        said += _results(decision)
    if decision.analysis.exact:
        said.append(_("These values are exact: nothing that matters was hidden any more."))
    return said + _open_cards(decision)


def _results(decision: Decision) -> list[str]:
    """How often the hand is won, and lost dearly, with the best action and the chosen one."""
    best, chosen = decision.expected, decision.expected_chosen
    if best is None or chosen is None or decision.analysis is None or decision.analysis.exact:
        return []
    said = []
    if _percent(chosen.win) != _percent(best.win):
        said.append(
            _("The hand is won in {chosen} of the worlds instead of {best}.").format(
                chosen=_percent(chosen.win), best=_percent(best.win)
            )
        )
    dear = [
        math.fsum(share for points, share in e.distribution.items() if points <= -2) for e in (chosen, best)
    ]
    rich = [
        math.fsum(share for points, share in e.distribution.items() if points >= 2) for e in (chosen, best)
    ]
    if dear[0] - dear[1] > 0.05:
        said.append(
            _("Two or more game points are lost in {chosen} instead of {best}.").format(
                chosen=_percent(dear[0]), best=_percent(dear[1])
            )
        )
    if rich[1] - rich[0] > 0.05:
        said.append(
            _("Two or more game points are won in {chosen} instead of {best}.").format(
                chosen=_percent(rich[0]), best=_percent(rich[1])
            )
        )
    return said


def _unknown(decision: Decision, player: str) -> list[str]:
    if decision.analysis is None:
        return [
            _("Not judged: the record does not tell what {player} knew at this moment.").format(player=player)
        ]
    best = decision.expected
    assert best is not None and decision.best is not None
    return [
        _("Not judged: the card that was played is not known."),
        _("Best on what {player} knew: {best}, worth {best_value} game points.").format(
            player=player, best=doing(decision.best, decision.step.view), best_value=_points(best.mean)
        ),
    ]


def _open_cards(decision: Decision) -> list[str]:
    """What could have been, had all cards been open."""
    solution = decision.solution
    if solution is None or solution.value is None or solution.best is None:
        return [_("What could have been with all cards open the record does not tell.")]
    value = value_in_words(solution.value)
    got = decision.open_chosen
    if decision.action is None or got is None:
        return [_("With all cards open the position was worth {value}.").format(value=value)]
    if len(solution.actions) == 1:
        return []
    if got == solution.value:
        harmless = _(
            "As the cards lay it did no harm: with all cards open nothing was worth more than {value}."
        )
        right = _("With all cards open nothing was better either: {value}.")
        return [(harmless if decision.verdict == "mistake" else right).format(value=value)]
    return [
        _("With all cards open the best was: {best}, worth {value}; the choice was worth {chosen}.").format(
            best=doing(solution.best, decision.step.full), value=value, chosen=value_in_words(got)
        )
    ]


def result_text(review: Review, hand: int) -> str:
    """How a hand ended."""
    outcome = review.recollection.hands[hand - 1].outcome
    if outcome is None:
        return _("the record does not tell how it ended")
    return outcome_in_words(outcome, review.players)
