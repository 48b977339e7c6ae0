#!/usr/bin/env python3
"""The dice of include/astragal/rng.h once more, written from that header's text alone.

usage: dice_again.py SEED GAME FACES FIRST COUNT    prints dice FIRST .. FIRST+COUNT-1, one a line
"""
import sys

WORD = 1 << 32


def philox4x32_10(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [p1 // WORD ^ c[1] ^ k[0], p1 % WORD, p0 // WORD ^ c[3] ^ k[1], p0 % WORD]
        k = [(k[0] + 0x9E3779B9) % WORD, (k[1] + 0xBB67AE85) % WORD]
    return c


def dice_per_word(faces):
    return max(m for m in range(1, 33) if faces**m <= WORD and WORD % faces**m * 256 < WORD)


def dice_of_word(seed, game, faces, w, stream=0):
    m = dice_per_word(faces)
    for attempt in range(256):
        counter = (game % WORD, game // WORD, w // 4, stream * 256 + attempt)
        r = philox4x32_10(counter, (seed % WORD, seed // WORD))[w % 4]
        dice = []
        for _ in range(m):
            dice.append(r * faces // WORD + 1)
            r = r * faces % WORD
        if r >= WORD % faces**m:
            return dice
    raise AssertionError("256 attempts rejected")


def main():
    seed, game, faces, first, count = (int(a) for a in sys.argv[1:])
    m = dice_per_word(faces)
    for i in range(first, first + count):
        print(dice_of_word(seed, game, faces, i // m)[i % m])


main()
