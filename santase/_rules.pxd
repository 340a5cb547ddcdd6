"""The rules, once: a hand's state as a plain C struct and what may happen to it.

Everything that plays, searches or samples goes through these inline functions.
They know every preset and every house rule through one ``Rules`` struct and
hold no state of their own.

Cards and sets of cards
    A card is a number 0-23, suit-major (C D H S), ranks 9 J Q K T A, so
    ``card = 6 * suit + rank``; a set of cards is a mask with those bits::

        bit   23 22 21 20 19 18 | 17 ... 12 | 11 ...  6 |  5 ...  0
              AS TS KS QS JS 9S | A hearts 9| A diam.  9| A clubs  9

Actions
    0-23 play that card, 24-27 declare the marriage of suit 0-3, 28 exchange,
    29 close, 30 call. A set of actions is a mask with those bits.

Talon
    The face-down cards in draw order, five bits a card, the next in the
    lowest bits::

        bit   54 ... 50 | ... | 9 ... 5 | 4 ... 0
                 11th   |     | second  | next

    ``facedown`` says how many there are; bits above them are zero. The turned
    card is apart, in ``turned``.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t


cdef extern from "_cards.h" nogil:
    const uint8_t CARD_POINTS "santase_card_points"[24]
    const uint8_t CARD_SUIT "santase_card_suit"[32]
    int popcount "santase_popcount"(uint32_t cards)
    int lowest "santase_lowest"(uint32_t cards)
    int highest "santase_highest"(uint32_t cards)
    int points_of "santase_points"(uint32_t cards)


cdef enum:
    NO_CARD = 31
    NO_SUIT = 4
    NOBODY = 2
    RANK_J = 1
    RANK_Q = 2
    RANK_K = 3
    MARRIAGE = 24
    EXCHANGE = 28
    CLOSE = 29
    CALL = 30
    ACTIONS = 31
    MAX_FACEDOWN = 11

cdef enum:
    # why a hand is over
    NOT_OVER = 0
    RIGHT_CALL = 1        # 66 called, and so it was
    WRONG_CALL = 2        # 66 called in error
    CLOSING_FAILED = 3    # the closer's opponent was first, or the closer fell short
    REACHED = 4           # 66 reached where it needs no call
    PLAYED_OUT = 5        # all cards played, the winner has 66
    LAST_TRICK = 6        # all cards played, the last trick decided
    VOID = 7              # all cards played, nobody has 66 and nobody scores


cdef struct Rules:
    uint32_t deck                     # the cards that are played with
    uint8_t hand_size
    uint8_t automatic                 # 66 ends the hand without a call
    uint8_t exchange_rank
    uint8_t exchange_needs_trick
    uint8_t exchange_min_talon        # face-down cards needed
    uint8_t close_before_first_trick
    uint8_t close_min_talon           # face-down cards needed
    uint8_t marriage_before_first_trick
    uint8_t last_trick_bonus          # talon exhausted only
    uint8_t last_trick_wins           # talon exhausted, no call: its winner wins
    uint8_t tie_void                  # nobody has 66: void, else the last trick's winner scores 1
    uint8_t closer_under_33           # closer succeeds, opponent has a trick but not 33
    uint8_t score_at_closing          # the opponent's points and tricks at the closing set that score
    uint8_t closer_fails
    uint8_t closer_fails_trickless
    uint8_t wrong_call
    uint8_t wrong_call_trickless
    uint8_t trickless_other           # whose lack of tricks counts: the other's, else the failed one's
    uint8_t target                    # 66
    uint8_t schneider                 # 33
    uint8_t match_target


cdef struct Hand:
    # No padding: equal hands have equal bytes, so they compare and hash as such,
    # and the struct is the record of a packed array.
    uint64_t talon
    uint32_t hand[2]        # the cards each player holds
    uint32_t played         # the cards in taken tricks
    uint8_t facedown
    uint8_t turned          # NO_CARD once it has been drawn
    uint8_t trump           # a suit
    uint8_t leader
    uint8_t led             # the led card while a reply is awaited, else NO_CARD
    uint8_t declared        # the suit declared on this lead, else NO_SUIT
    uint8_t points[2]       # those that count
    uint8_t tricks[2]
    uint8_t pending[2]      # marriage points that do not count yet
    uint8_t closer          # NOBODY while nobody has closed
    uint8_t closing_points  # the other's at the closing, kept where the rules score by them
    uint8_t closing_tricks
    uint8_t over            # NOT_OVER or the reason
    uint8_t winner          # NOBODY in a void hand, and before the end
    uint8_t game_points
    uint8_t spare[2]        # 0


cdef struct Knowledge:
    # What the other player knows of each hand beyond what counting tells.
    uint32_t holds[2]       # cards of that hand
    uint32_t lacks[2]       # face-down cards that the player has shown not to hold


cdef struct Seen:
    # A hand as somebody sees it: some cards may be hidden.
    Hand hand               # the hands hold the cards known to be there
    Knowledge known
    uint8_t hidden[2]       # further cards in each hand
    uint8_t talon_hidden    # 1: the face-down cards are not known (talon is 0)
    uint8_t spare[5]        # 0


# ---------------------------------------------------------------- cards

cdef inline uint32_t bit(int card) noexcept nogil:
    return <uint32_t>1 << card


cdef inline uint32_t suit_mask(int suit) noexcept nogil:
    return <uint32_t>0x3F << (6 * suit)


cdef inline uint32_t above(int card) noexcept nogil:
    """The cards of its suit that beat ``card``."""
    return suit_mask(CARD_SUIT[card]) & ~((<uint32_t>2 << card) - 1)


cdef inline uint32_t marriage_mask(int suit) noexcept nogil:
    return <uint32_t>((1 << RANK_Q) | (1 << RANK_K)) << (6 * suit)


cdef inline uint32_t facedown_mask(const Hand* h) noexcept nogil:
    """The face-down cards as a set."""
    cdef uint32_t cards = 0
    cdef uint64_t talon = h.talon
    cdef int i
    for i in range(h.facedown):
        cards |= bit(<int>(talon & 31))
        talon >>= 5
    return cards


# ---------------------------------------------------------------- a trick

cdef inline bint reply_wins(int led, int reply, int trump) noexcept nogil:
    if CARD_SUIT[led] == CARD_SUIT[reply]:
        return reply > led
    return CARD_SUIT[reply] == trump


cdef inline uint32_t strict_replies(uint32_t hand, int led, int trump) noexcept nogil:
    """What may answer ``led`` in the strict phase: the suit, higher if possible;
    else a trump; else anything."""
    cdef uint32_t cards = hand & suit_mask(CARD_SUIT[led])
    cdef uint32_t higher
    if cards:
        higher = cards & above(led)
        return higher if higher else cards
    cards = hand & suit_mask(trump)
    return cards if cards else hand


cdef inline bint talon_open(const Hand* h) noexcept nogil:
    return h.facedown != 0 and h.closer == NOBODY


cdef inline int to_move(const Hand* h) noexcept nogil:
    return h.leader if h.led == NO_CARD else 1 - h.leader


# ---------------------------------------------------------------- what may be done

cdef inline bint any_trick(const Hand* h) noexcept nogil:
    return h.tricks[0] + h.tricks[1] != 0


cdef inline bint may_exchange(const Hand* h, const Rules* r) noexcept nogil:
    """For the leader before any declaration."""
    return (talon_open(h) and h.facedown >= r.exchange_min_talon
            and h.hand[h.leader] & bit(6 * h.trump + r.exchange_rank) != 0
            and (h.tricks[h.leader] != 0 or not r.exchange_needs_trick))


cdef inline bint may_close(const Hand* h, const Rules* r) noexcept nogil:
    """For the leader before any declaration."""
    return (talon_open(h) and h.facedown >= r.close_min_talon
            and (any_trick(h) or r.close_before_first_trick))


cdef inline uint32_t marriages(const Hand* h, const Rules* r) noexcept nogil:
    """The suits, as a mask of four bits, that the leader may declare."""
    cdef uint32_t suits = 0
    cdef uint32_t pairs
    cdef int s
    if any_trick(h) or r.marriage_before_first_trick:
        pairs = h.hand[h.leader]
        pairs &= pairs >> 1     # Q's bit set where K stands above it
        for s in range(4):
            suits |= ((pairs >> (6 * s + RANK_Q)) & 1) << s
    return suits


cdef inline uint32_t legal_actions(const Hand* h, const Rules* r) noexcept nogil:
    """The legal actions as a mask of action numbers; 0 when the hand is over."""
    cdef uint32_t actions
    if h.over:
        return 0
    if h.led != NO_CARD:
        if talon_open(h):
            return h.hand[1 - h.leader]
        return strict_replies(h.hand[1 - h.leader], h.led, h.trump)
    actions = h.hand[h.leader]
    if h.declared != NO_SUIT:
        actions &= marriage_mask(h.declared)
    else:
        actions |= marriages(h, r) << MARRIAGE
        if may_exchange(h, r):
            actions |= bit(EXCHANGE)
        if may_close(h, r):
            actions |= bit(CLOSE)
    if not r.automatic:
        actions |= bit(CALL)
    return actions


# ---------------------------------------------------------------- how a hand ends

cdef inline void end_hand(Hand* h, int reason, int winner, int game_points) noexcept nogil:
    h.over = <uint8_t>reason
    h.winner = <uint8_t>winner
    h.game_points = <uint8_t>game_points


cdef inline int failed_closing_score(const Hand* h, const Rules* r, int closer) noexcept nogil:
    cdef int tricks = h.closing_tricks if r.trickless_other else h.tricks[closer]
    return r.closer_fails if tricks else r.closer_fails_trickless


cdef inline void end_won(Hand* h, const Rules* r, int winner, int reason) noexcept nogil:
    """End the hand for a player who has 66 and says so, or need not say so."""
    cdef int other = 1 - winner
    cdef int points = h.points[other]
    cdef int tricks = h.tricks[other]
    if h.closer == other:
        end_hand(h, CLOSING_FAILED, winner, failed_closing_score(h, r, other))
        return
    if h.closer == winner and r.score_at_closing:
        points = h.closing_points
        tricks = h.closing_tricks
    if tricks == 0:
        end_hand(h, reason, winner, 3)
    elif points < r.schneider:
        end_hand(h, reason, winner, r.closer_under_33 if h.closer == winner else 2)
    else:
        end_hand(h, reason, winner, 1)


cdef inline void end_called(Hand* h, const Rules* r) noexcept nogil:
    """End the hand by the leader's call.

    Where the other's lack of tricks raises a wrong call, a closer's is one of
    the closing: the other's tricks at that moment count.
    """
    cdef int caller = h.leader
    cdef int tricks
    h.declared = NO_SUIT
    if h.points[caller] >= r.target:
        end_won(h, r, caller, RIGHT_CALL)
    else:
        if not r.trickless_other:
            tricks = h.tricks[caller]
        elif h.closer == caller:
            tricks = h.closing_tricks
        else:
            tricks = h.tricks[1 - caller]
        end_hand(h, WRONG_CALL, 1 - caller, r.wrong_call if tricks else r.wrong_call_trickless)


cdef inline void end_played_out(Hand* h, const Rules* r) noexcept nogil:
    """Settle a hand whose last card has been played; ``leader`` took the last
    trick and has had the bonus for it."""
    cdef int last = h.leader
    cdef int closer = h.closer
    if closer != NOBODY:
        if h.points[closer] >= r.target:
            end_won(h, r, closer, PLAYED_OUT)
        else:
            end_hand(h, CLOSING_FAILED, 1 - closer, failed_closing_score(h, r, closer))
        return
    if h.points[last] >= r.target:
        end_won(h, r, last, PLAYED_OUT)
    elif r.last_trick_wins:
        end_hand(h, LAST_TRICK, last, 1)
    elif h.points[1 - last] >= r.target:
        end_won(h, r, 1 - last, PLAYED_OUT)
    elif r.tie_void:
        end_hand(h, VOID, NOBODY, 0)
    else:
        end_hand(h, LAST_TRICK, last, 1)


# ---------------------------------------------------------------- doing it

cdef inline void declare(Hand* h, const Rules* r, int suit) noexcept nogil:
    cdef int value = 40 if suit == h.trump else 20
    cdef int player = h.leader
    h.declared = <uint8_t>suit
    if h.tricks[player]:
        h.points[player] += <uint8_t>value
        if r.automatic and h.points[player] >= r.target:
            end_won(h, r, player, REACHED)
    else:
        h.pending[player] += <uint8_t>value


cdef inline void exchange(Hand* h, const Rules* r) noexcept nogil:
    cdef int low = 6 * h.trump + r.exchange_rank
    h.hand[h.leader] ^= bit(low) | bit(h.turned)
    h.turned = <uint8_t>low


cdef inline void close_talon(Hand* h, const Rules* r) noexcept nogil:
    h.closer = h.leader
    if r.score_at_closing or r.trickless_other:
        h.closing_points = h.points[1 - h.leader]
        h.closing_tricks = h.tricks[1 - h.leader]


cdef inline void lead(Hand* h, int card) noexcept nogil:
    h.hand[h.leader] ^= bit(card)
    h.led = <uint8_t>card
    h.declared = NO_SUIT


cdef inline void draw(Hand* h) noexcept nogil:
    """The winner of the trick, now on lead, and then the loser draw a card each."""
    cdef int winner = h.leader
    h.hand[winner] |= bit(<int>(h.talon & 31))
    if h.facedown == 1:
        h.hand[1 - winner] |= bit(h.turned)
        h.turned = NO_CARD
        h.talon = 0
        h.facedown = 0
    else:
        h.hand[1 - winner] |= bit(<int>((h.talon >> 5) & 31))
        h.talon >>= 10
        h.facedown -= 2


cdef inline void reply(Hand* h, const Rules* r, int card) noexcept nogil:
    """Complete the trick: points, the draw, and the end of the hand if it is one.

    The draw comes before the hand is found to be over, so that hand sizes
    always fit the number of tricks.
    """
    cdef int winner = h.leader
    h.hand[1 - winner] ^= bit(card)
    if reply_wins(h.led, card, h.trump):
        winner = 1 - winner
    h.played |= bit(h.led) | bit(card)
    h.points[winner] += CARD_POINTS[h.led] + CARD_POINTS[card] + h.pending[winner]
    h.pending[winner] = 0
    h.tricks[winner] += 1
    h.leader = <uint8_t>winner
    h.led = NO_CARD
    if talon_open(h):
        draw(h)
    if h.hand[0] == 0 and h.hand[1] == 0:
        if h.closer == NOBODY:
            h.points[winner] += r.last_trick_bonus
        end_played_out(h, r)
    elif r.automatic and h.points[winner] >= r.target:
        end_won(h, r, winner, REACHED)


cdef inline void act(Hand* h, const Rules* r, int action) noexcept nogil:
    """Do a legal action."""
    if action < MARRIAGE:
        if h.led == NO_CARD:
            lead(h, action)
        else:
            reply(h, r, action)
    elif action < EXCHANGE:
        declare(h, r, action - MARRIAGE)
    elif action == EXCHANGE:
        exchange(h, r)
    elif action == CLOSE:
        close_talon(h, r)
    else:
        end_called(h, r)


cdef inline int value_for(const Hand* h, int player) noexcept nogil:
    """Game points for ``player`` of a hand that is over."""
    if h.winner == NOBODY:
        return 0
    return h.game_points if h.winner == player else -<int>h.game_points


# ---------------------------------------------------------------- what players know

cdef inline uint32_t publicly_seen(const Hand* h) noexcept nogil:
    """Cards whose place both players see: played, led and turned (after a
    closing too: both remember it)."""
    cdef uint32_t seen = h.played
    if h.led != NO_CARD:
        seen |= bit(h.led)
    if h.turned != NO_CARD:
        seen |= bit(h.turned)
    return seen


cdef inline void settle_knowledge(const Hand* h, Knowledge* k, uint32_t facedown) noexcept nogil:
    """Drop what counting tells by now: cards that were seen, cards to lack that
    cannot be face down, and everything once the talon is exhausted."""
    cdef uint32_t hidden = ~publicly_seen(h)
    if h.facedown == 0:
        hidden = 0
    k.holds[0] &= hidden
    k.holds[1] &= hidden
    k.lacks[0] &= facedown
    k.lacks[1] &= facedown


cdef inline void learn(const Hand* h, const Rules* r, Knowledge* k, int action) noexcept nogil:
    """What ``action``, about to be done, tells the other player.

    A marriage shows both its cards, an exchange the card taken up; under a
    closing a reply shows that the higher cards of the suit, the suit, or the
    trumps are not there. Settle the knowledge after the action.
    """
    cdef int player
    if action < MARRIAGE:
        player = to_move(h)
        k.holds[player] &= ~bit(action)
        if h.led == NO_CARD or h.closer == NOBODY:
            return
        if CARD_SUIT[action] == CARD_SUIT[h.led]:
            if action < h.led:
                k.lacks[player] |= above(h.led) & r.deck
        else:
            k.lacks[player] |= suit_mask(CARD_SUIT[h.led]) & r.deck
            if CARD_SUIT[action] != h.trump:
                k.lacks[player] |= suit_mask(h.trump) & r.deck
    elif action < EXCHANGE:
        k.holds[h.leader] |= marriage_mask(action - MARRIAGE)
    elif action == EXCHANGE:
        k.holds[h.leader] |= bit(h.turned)


cdef inline void act_known(Hand* h, const Rules* r, Knowledge* k, int action) noexcept nogil:
    """Do a legal action in a hand with nothing hidden and keep account of what it tells."""
    learn(h, r, k, action)
    act(h, r, action)
    settle_knowledge(h, k, facedown_mask(h) if k.lacks[0] | k.lacks[1] else 0)


# ---------------------------------------------------------------- what one player sees

cdef inline bint is_full(const Seen* s) noexcept nogil:
    return s.hidden[0] == 0 and s.hidden[1] == 0 and not s.talon_hidden


cdef inline uint32_t unseen(const Seen* s, const Rules* r) noexcept nogil:
    """The cards of which it is not known where they are."""
    cdef uint32_t seen = publicly_seen(&s.hand) | s.hand.hand[0] | s.hand.hand[1]
    if not s.talon_hidden:
        seen |= facedown_mask(&s.hand)
    return r.deck & ~seen


cdef inline uint32_t candidates(const Seen* s, const Rules* r, int player) noexcept nogil:
    """The cards that may be among the hidden ones of a player."""
    return unseen(s, r) & ~s.known.lacks[player]


cdef inline void count_cards(Seen* s, const Rules* r) noexcept nogil:
    """Put in place every card whose place follows by counting."""
    cdef uint32_t cards
    cdef int player
    settle_knowledge(&s.hand, &s.known, unseen(s, r) if s.talon_hidden else facedown_mask(&s.hand))
    for player in range(2):
        if s.hidden[player]:
            # of what it has shown to lack, a player sees only what it does not hold itself
            s.known.lacks[1 - player] = 0
            cards = candidates(s, r, player)
            if popcount(cards) == s.hidden[player]:
                s.hand.hand[player] |= cards
                s.hidden[player] = 0
    if s.talon_hidden and s.hidden[0] == 0 and s.hidden[1] == 0 and s.hand.facedown <= 1:
        s.hand.talon = lowest(unseen(s, r)) if s.hand.facedown else 0
        s.talon_hidden = 0


cdef inline void hide(Seen* s, const Rules* r, int player) noexcept nogil:
    """Reduce a hand of which ``player``'s cards are seen to what ``player`` knows.

    The cards that the player has shown to lack are left out unless the other's
    hand is known: which of them lie face down, and which the other holds, is
    just what the player does not know.
    """
    cdef int other = 1 - player
    cdef uint32_t lacks = s.known.lacks[player]
    s.hidden[other] += <uint8_t>popcount(s.hand.hand[other] & ~s.known.holds[other])
    s.hand.hand[other] &= s.known.holds[other]
    s.hand.talon = 0
    s.talon_hidden = s.hand.facedown != 0
    s.known.lacks[player] = 0
    count_cards(s, r)
    if s.hidden[other] == 0:
        s.known.lacks[player] = lacks
