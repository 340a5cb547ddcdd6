/* Card tables and bit helpers for the core, in portable C.
 *
 * A set of cards is a 32-bit mask with one bit a card, suit-major:
 *
 *    bit   23 22 21 20 19 18 | 17 ... 12 | 11 ...  6 |  5 ...  0
 *          AS TS KS QS JS 9S |  A ... 9  |  A ... 9  |  A ... 9
 *                 spades     |  hearts   | diamonds  |   clubs
 *
 * so that within a suit the higher bit is the stronger card, and a card's bit
 * is also the number of the action that plays it.
 */
#ifndef SANTASE_CARDS_H
#define SANTASE_CARDS_H

#include <stdint.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

static const uint8_t santase_card_points[24] = {
    0, 2, 3, 4, 10, 11,  0, 2, 3, 4, 10, 11,
    0, 2, 3, 4, 10, 11,  0, 2, 3, 4, 10, 11,
};

static const uint8_t santase_card_suit[32] = {
    0, 0, 0, 0, 0, 0,  1, 1, 1, 1, 1, 1,
    2, 2, 2, 2, 2, 2,  3, 3, 3, 3, 3, 3,
    4, 4, 4, 4, 4, 4, 4, 4,
};

/* Number of cards in a set. The bit trick, not the builtin: without -mpopcnt
 * the builtin is a call into a table, and a portable build must not ask for it. */
static inline int santase_popcount(uint32_t x) {
#if defined(__POPCNT__)
    return __builtin_popcount(x);
#else
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    return (int)((x * 0x01010101u) >> 24);
#endif
}

/* The lowest, and the highest, card of a set that is not empty. */
static inline int santase_lowest(uint32_t x) {
#if defined(_MSC_VER)
    unsigned long i;
    _BitScanForward(&i, x);
    return (int)i;
#else
    return __builtin_ctz(x);
#endif
}

static inline int santase_highest(uint32_t x) {
#if defined(_MSC_VER)
    unsigned long i;
    _BitScanReverse(&i, x);
    return (int)i;
#else
    return 31 - __builtin_clz(x);
#endif
}

/* Card points of a set: J 2, Q 2+1, K 4, T 8+2, A 8+2+1, so four counts over
 * the cards that have each power of two do for all 24. */
static inline int santase_points(uint32_t x) {
    return santase_popcount(x & 0x924924u)
        + 2 * santase_popcount(x & 0xDB6DB6u)
        + 4 * santase_popcount(x & 0x208208u)
        + 8 * santase_popcount(x & 0xC30C30u);
}

#endif
