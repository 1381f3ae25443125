#!/usr/bin/python3
"""Speak sentences of the grammar with espeak-ng.    usage: synthesize.py OUT_DIR [train|test ...]

Writes OUT_DIR/<part>.npy (int16 mono 16 kHz, all utterances one after the other, silence trimmed) and OUT_DIR/<part>.json:
for each utterance its place in the array, sentence id, text, language, voice and the samples where each word begins.

'train' takes sentences of the training part in eleven voice variants; 'test' takes held-back sentences in two variants that
training never hears. Needs libespeak-ng1 (1.51 was used). Fixed seeds: the same library gives the same files.
"""
import ctypes
import json
import os
import random
import sys
from multiprocessing import Pool

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import grammar  # noqa: E402

RATE = 16000
TRAIN_VARIANTS = ["", "+m1", "+m2", "+m3", "+m5", "+m6", "+m7", "+f1", "+f2", "+f4", "+f5"]
TEST_VARIANTS = ["+m4", "+f3"]
PER_LANGUAGE = {"train": int(os.environ.get("TRAIN_PER_LANGUAGE", 4000)), "test": 130}
SEEDS = {"train": 1, "test": 7}
# Digit strings are the hardest sentences (any digit may follow any other) and get more than the share their templates have.
DIGIT_SHARE = {"train": 0.4, "test": None}
# Resampling to a slightly wrong rate shifts formants and pitch: more speakers than espeak-ng has voices.
FORMANT_SHIFT = 0.07
# The library wants a voice's file, not its language.
VOICE_FILES = {"en-us": "gmw/en-US", "en-gb": "gmw/en", "ur": "inc/ur", "fa": "ira/fa", "ar": "sem/ar", "fa-latn": "ira/fa-Latn"}
SILENCE_LEVEL = 150


class Event(ctypes.Structure):
    """espeak_EVENT of speak_lib.h; `id` is a union of 8 bytes that is not needed here."""
    _fields_ = [("type", ctypes.c_int), ("uid", ctypes.c_uint), ("text_position", ctypes.c_int), ("length", ctypes.c_int),
                ("audio_position", ctypes.c_int), ("sample", ctypes.c_int), ("user_data", ctypes.c_void_p), ("id", ctypes.c_char * 8)]


EVENT_END, EVENT_WORD = 0, 1


class Synthesizer:
    """libespeak-ng in this process: some thirty times quicker than one espeak-ng process a sentence."""

    def __init__(self):
        self.lib = ctypes.CDLL("libespeak-ng.so.1")
        self.rate = self.lib.espeak_Initialize(1, 0, None, 0)      # 1: hand samples to the callback
        self.chunks, self.words = [], []
        callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))

        def on_samples(samples, count, events):
            if samples and count > 0:
                self.chunks.append(np.ctypeslib.as_array(samples, (count,)).copy())
            k = 0
            while events and events[k].type != EVENT_END:
                if events[k].type == EVENT_WORD:
                    self.words.append((events[k].text_position - 1, events[k].sample))
                k += 1
            return 0

        self.callback = callback(on_samples)                        # kept: the library holds only a pointer
        self.lib.espeak_SetSynthCallback(self.callback)
        self.lib.espeak_Synth.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint,
                                          ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p]

    def speak(self, text, voice, speed, pitch):
        """-> samples at the library's rate, [(character, sample) where a word begins]"""
        base, _, variant = voice.partition("+")
        name = VOICE_FILES[base] + ("+" + variant if variant else "")
        if self.lib.espeak_SetVoiceByName(name.encode()) != 0:
            raise RuntimeError("espeak-ng has no voice " + name)
        self.lib.espeak_SetParameter(1, speed, 0)
        self.lib.espeak_SetParameter(3, pitch, 0)
        self.chunks, self.words = [], []
        data = text.encode() + b"\0"
        self.lib.espeak_Synth(data, len(data), 0, 1, 0, 1, None, None)   # whole text, by characters, UTF-8
        self.lib.espeak_Synchronize()
        return np.concatenate(self.chunks).astype(np.float64), self.words


def resample(x, source, target):
    """Band-limited resampling through the FFT; the block length is rounded up to one with small prime factors."""
    g = np.gcd(source, target)
    a, c = source // g, target // g
    k = -(-(len(x) + source // 10) // a)
    while not _is_smooth(k):
        k += 1
    pad = a * (source // 20 // a)
    n, m = k * a, k * c
    z = np.zeros(n, dtype=np.float32)
    z[pad:pad + len(x)] = x
    spectrum = np.fft.rfft(z)
    j = min(len(spectrum), m // 2 + 1)
    out = np.zeros(m // 2 + 1, dtype=complex)
    out[:j] = spectrum[:j]
    y = np.fft.irfft(out, m) * (m / n)
    return y[pad // a * c: pad // a * c + len(x) * c // a]


def _is_smooth(n):
    for f in (2, 3, 5):
        while n % f == 0:
            n //= f
    return n == 1


_synthesizer = None


def utter(job):
    """job -> (int16 samples, [sample where each written word begins], sample where speech ends)"""
    global _synthesizer
    if _synthesizer is None:
        _synthesizer = Synthesizer()
    spoken = [grammar.say(w, job["lang"]) for w in job["text"].split()]
    x, events = _synthesizer.speak(" ".join(spoken), job["voice"], job["speed"], job["pitch"])
    target = int(round(RATE * job["stretch"] / 50) * 50)            # multiples of 50 keep the resampling ratio simple
    y = resample(x, _synthesizer.rate, target)
    loud = np.flatnonzero(np.abs(y) > SILENCE_LEVEL)
    cut = max(0, int(loud[0]) - 160)
    y = y[cut: loud[-1] + 320]
    starts = word_starts(spoken, events, target / _synthesizer.rate, cut, len(y))
    return np.clip(np.round(y), -32768, 32767).astype(np.int16), [int(s) for s in starts]


def word_starts(spoken, events, ratio, cut, length):
    """espeak-ng joins some words ("at the") into one event; such words share the time until the next event."""
    offset, begins = 0, []
    for w in spoken:
        begins.append(offset)
        offset += len(w) + 1
    known = {}
    for position, sample in events:
        index = max((i for i, b in enumerate(begins) if b <= position), default=0)
        known.setdefault(index, min(length, max(0, int(sample * ratio) - cut)))
    known[0] = 0
    marks = sorted(known.items()) + [(len(spoken), length)]
    starts = []
    for (i, a), (j, b) in zip(marks, marks[1:]):
        starts += [a + (max(b, a) - a) * k // (j - i) for k in range(j - i)]
    return starts


def jobs(part):
    """The utterances of a part: sentences in random voices. Test sentences are unique."""
    rng = random.Random(SEEDS[part])
    variants = TEST_VARIANTS if part == "test" else TRAIN_VARIANTS
    out = []
    for lang in grammar.LANGS:
        seen = set()
        seed = SEEDS[part] + sum(map(ord, lang))
        for s in grammar.sample(None, seed, part, DIGIT_SHARE[part]):
            if part == "test" and s["id"] in seen:
                continue
            seen.add(s["id"])
            stretch = rng.uniform(1 - FORMANT_SHIFT, 1 + FORMANT_SHIFT) if part == "train" else 1
            out.append({"id": s["id"], "text": s[lang], "lang": lang, "stretch": stretch, "speed": rng.randint(125, 195),
                        "voice": rng.choice(grammar.G["voices"][lang]) + rng.choice(variants), "pitch": rng.randint(30, 70)})
            if len(out) % PER_LANGUAGE[part] == 0:
                break
    return out


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    with Pool(int(os.environ.get("JOBS", 2))) as pool:
        for part in sys.argv[2:] or ["test", "train"]:
            meta = jobs(part)
            result = pool.map(utter, meta, chunksize=32)
            offset = 0
            for m, (samples, starts) in zip(meta, result):
                m.update(offset=offset, length=len(samples), starts=starts)
                offset += len(samples)
            np.save(os.path.join(out, part + ".npy"), np.concatenate([s for s, _ in result]))
            with open(os.path.join(out, part + ".json"), "w", encoding="utf-8") as f:
                json.dump(meta, f, ensure_ascii=False)
            print(part, len(meta), "utterances,", round(offset / RATE / 60, 1), "minutes", flush=True)


if __name__ == "__main__":
    main()
