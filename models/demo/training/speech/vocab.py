"""Vocabulary and mel filters of the speech model, and its word tokens.

vocab-and-mel.bin is the header, mel filter bank and vocabulary of whisper.cpp's models/for-tests-ggml-tiny.bin. That file is lossy:
every token that is not valid UTF-8 by itself (1,480 of them) is stored with U+FFFD in it. The 256 single-byte tokens are restored
exactly (their order is that of GPT-2's bytes_to_unicode). The other damaged entries can never be right, so some of them are given
to the words of the grammar: one token a word, which makes a transcript short and quick to learn. Everything else keeps its place.
"""
import os
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import grammar  # noqa: E402

# Ids of multilingual Whisper.
EOT, SOT, LANG0, TRANSLATE, TRANSCRIBE, PREV, NOSPEECH, NO_TIMESTAMPS, BEGIN = 50257, 50258, 50259, 50358, 50359, 50361, 50362, 50363, 50364
LANG_ID = {"en": 0, "ar": 13, "ur": 31, "fa": 41, "ps": 81}
N_VOCAB = 51865
DAMAGED = b"\xef\xbf\xbd"
# Timestamps are taught in steps of 0.1 s; Whisper's own step is 0.02 s.
TIME_STEP = 5


def load(path):
    """-> mel filters (80, 201), token texts"""
    with open(path, "rb") as f:
        data = f.read()
    rows, columns = struct.unpack("2i", data[48:56])
    at = 56 + 4 * rows * columns
    mel = np.frombuffer(data[56:at], dtype="<f4").reshape(rows, columns).copy()
    count, = struct.unpack("i", data[at:at + 4])
    at += 4
    tokens = []
    for _ in range(count):
        length, = struct.unpack("i", data[at:at + 4])
        tokens.append(data[at + 4:at + 4 + length])
        at += 4 + length
    printable = list(range(33, 127)) + list(range(0xa1, 0xad)) + list(range(0xae, 0x100))
    for i, b in enumerate(printable + [b for b in range(256) if b not in printable]):
        assert tokens[i] in (bytes([b]), DAMAGED), i
        tokens[i] = bytes([b])
    return mel, tokens


MEL, TOKENS = load(os.path.join(HERE, "vocab-and-mel.bin"))
_free = [i for i, t in enumerate(TOKENS) if DAMAGED in t and i >= 256]
WORD_TEXTS = sorted({w for lang in grammar.LANGS for w in grammar.vocabulary()[lang]})
WORD_TOKEN = dict(zip(WORD_TEXTS, _free))
assert len(WORD_TOKEN) == len(WORD_TEXTS)
for _w, _i in WORD_TOKEN.items():
    TOKENS[_i] = (" " + _w).encode()

# The tokens that are taught, numbered without holes: words, special tokens, timestamps.
SPECIAL = [EOT, SOT] + [LANG0 + LANG_ID[lang] for lang in grammar.LANGS] + [TRANSLATE, TRANSCRIBE, PREV, NOSPEECH, NO_TIMESTAMPS]
TIME_IDS = [BEGIN + k for k in range(0, 1501, TIME_STEP)]
IDS = [WORD_TOKEN[w] for w in WORD_TEXTS] + SPECIAL + TIME_IDS
INDEX = {t: i for i, t in enumerate(IDS)}
N_TAUGHT, N_WORDS, N_TIMES = len(IDS), len(WORD_TEXTS), len(TIME_IDS)

# What the encoder's training heads name: a word of a language; 0 is silence.
SOUNDS = {lw: i + 1 for i, lw in enumerate((lang, w) for lang in grammar.LANGS for w in grammar.vocabulary()[lang])}


def encode(text):
    """Taught-token numbers of a sentence."""
    return [INDEX[WORD_TOKEN[w]] for w in text.split()]


def language(lang):
    return INDEX[LANG0 + LANG_ID[lang]]


def timestamp(seconds):
    """The taught timestamp nearest to a time within the window."""
    return INDEX[BEGIN + TIME_STEP * min(300, max(0, int(round(seconds * 10))))]


if __name__ == "__main__":
    print(len(_free), "free places,", N_WORDS, "words,", N_TAUGHT, "taught tokens,", len(SOUNDS), "sounds")
