"""The rules object in the form the core works with."""

from libc.string cimport memcmp, memset

from santase._rules cimport Rules as CRules

from santase.rules import RULES

from santase.cards import RANKS, SUITS


cdef class RuleSet:
    """A ``santase.Rules`` and the C struct made of it; made once and shared by
    the positions that descend from one another."""

    def __init__(self, rules):
        cdef CRules* c = &self.c
        memset(c, 0, sizeof(CRules))
        self.rules = rules
        self.text = str(rules)
        for suit in rules.suits:
            for rank in rules.ranks:
                c.deck |= 1 << (6 * SUITS.index(suit) + RANKS.index(rank))
        c.hand_size = rules.hand_size
        c.automatic = rules.automatic
        c.exchange_rank = RANKS.index(rules.exchange_rank)
        c.exchange_needs_trick = rules.exchange_needs_trick
        c.exchange_min_talon = rules.exchange_min_talon
        c.close_before_first_trick = rules.close_before_first_trick
        c.close_min_talon = rules.close_min_talon
        c.marriage_before_first_trick = rules.marriage_before_first_trick
        c.last_trick_bonus = rules.last_trick_bonus
        c.last_trick_wins = rules.last_trick_wins
        c.tie_void = rules.tie_void
        c.closer_under_33 = rules.closer_under_33
        c.score_at_closing = rules.score_at_closing
        c.closer_fails = rules.closer_fails
        c.closer_fails_trickless = rules.closer_fails_trickless
        c.wrong_call = rules.wrong_call
        c.wrong_call_trickless = rules.wrong_call_trickless
        c.trickless_other = rules.trickless == "other"
        c.target = rules.target
        c.schneider = rules.schneider
        c.match_target = rules.match_target

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, RuleSet):
            return NotImplemented
        return memcmp(&self.c, &(<RuleSet>other).c, sizeof(CRules)) == 0

    def __hash__(self):
        return hash(self.text)

    def __reduce__(self):
        return RuleSet, (self.rules,)


_PRESETS = {name: RuleSet(rules) for name, rules in RULES.items()}


def ruleset_of(rules) -> RuleSet:
    """The ``RuleSet`` of a ``Rules`` object; that of a preset is shared."""
    preset = _PRESETS.get(rules.name)
    if preset is not None and preset.rules == rules:
        return preset
    return RuleSet(rules)
