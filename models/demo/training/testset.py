#!/usr/bin/python3
"""Write the test material of `npm run bench -- accuracy`.     usage: testset.py SPEECH_DATA_DIR OUT_DIR

<language>.ogg: 100 held-back sentences in two voices that training never hears, each with 0.3 s before and 0.7 s behind it; half as
synthesised, a quarter with noise 20 to 40 dB below, a quarter through a telephone line (300-3400 Hz, mu-law).
nonspeech.ogg: two minutes without a word: silence, hiss, hum, beeps, ringing, clicks. index.json tells what is where.
translation.json: held-back sentences, plain and as people type them, and texts with words no grammar holds.
Needs ffmpeg with libopus. Fixed seeds.
"""
import json
import math
import os
import random
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "translation"))
import texts  # noqa: E402

grammar = texts.grammar
RATE = 16000
PER_LANGUAGE = 100
LEAD_S, TAIL_S = 0.3, 0.7


def telephone(x):
    f = np.fft.rfftfreq(len(x), 1 / RATE)
    gain = 1 / (1 + np.exp(-(f - 300) / 20)) / (1 + np.exp(-(3400 - f) / 50))
    y = np.clip(np.fft.irfft(np.fft.rfft(x) * gain, len(x)), -1, 1)
    code = np.round(np.sign(y) * np.log1p(255 * np.abs(y)) / math.log(256) * 127)
    return np.sign(code) * np.expm1(np.abs(code) / 127 * math.log(256)) / 255


def speech(folder, out):
    audio = np.load(os.path.join(folder, "test.npy"), mmap_mode="r")
    with open(os.path.join(folder, "test.json"), encoding="utf-8") as f:
        meta = json.load(f)
    noise = np.random.default_rng(11)
    rng = random.Random(11)
    index = []
    for lang in grammar.LANGS:
        pieces, at = [], 0
        for k, m in enumerate([m for m in meta if m["lang"] == lang][:PER_LANGUAGE]):
            x = audio[m["offset"]:m["offset"] + m["length"]].astype(np.float64) / 32768
            lead = int(RATE * LEAD_S)
            condition = ("clean", "noise", "clean", "telephone")[k % 4]
            piece = np.concatenate([np.zeros(lead), x, np.zeros(int(RATE * TAIL_S))])
            if condition == "noise":
                level = np.sqrt(np.mean(x ** 2)) * 10 ** (-rng.uniform(20, 40) / 20)
                piece += level * noise.standard_normal(len(piece))
            elif condition == "telephone":
                piece = telephone(piece)
            index.append({"language": lang, "id": m["id"], "text": m["text"], "condition": condition,
                          "startMs": round((at + lead) / RATE * 1000), "endMs": round((at + lead + len(x)) / RATE * 1000)})
            pieces.append(piece)
            at += len(piece)
        encode(np.concatenate(pieces), os.path.join(out, lang + ".ogg"))
    return index


def nonspeech(out):
    """Stretches of 12 s each."""
    noise = np.random.default_rng(12)
    n = 12 * RATE
    t = np.arange(n) / RATE
    tone = lambda f: np.sin(2 * np.pi * f * t)  # noqa: E731
    clicks = np.zeros(n)
    clicks[noise.integers(0, n, 40)] = 0.5
    brown = np.cumsum(noise.standard_normal(n))
    brown -= np.convolve(brown, np.ones(4001) / 4001, "same")
    stretches = [np.zeros(n), 0.003 * noise.standard_normal(n), 0.03 * noise.standard_normal(n), 0.1 * noise.standard_normal(n),
                 0.2 * tone(50) + 0.002 * noise.standard_normal(n), 0.2 * tone(440), 0.3 * brown / np.abs(brown).max(),
                 0.15 * (tone(440) + tone(480)) * (t % 6 < 2), 0.2 * tone(1000) * (t % 1 < 0.2), clicks]
    encode(np.concatenate(stretches), os.path.join(out, "nonspeech.ogg"))


def encode(x, path):
    """Opus at 24 kbit/s; the container's random serial number is left out so that the same sound is the same file."""
    command = ["ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-", "-c:a", "libopus", "-b:a", "24k",
               "-application", "voip", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1", path]
    subprocess.run(command, input=np.clip(np.round(x * 32767), -32768, 32767).astype("<i2").tobytes(), check=True)


def translation():
    rng = random.Random(13)
    held = [s for s in grammar.all_sentences(digits4=True) if grammar.split(s) == "test"]
    by_template = {}
    for s in held:
        by_template.setdefault(s["template"], []).append(s)
    singles = []
    for group in by_template.values():
        singles += rng.sample(group, min(5, len(group)))
    only = lambda s: {lang: s[lang] for lang in grammar.LANGS}  # noqa: E731
    return {"singles": [only(s) for s in singles],
            "written": [texts.written(s) for s in singles],
            "unknownWords": [texts.with_unknown_word(rng) for _ in range(60)],
            "unknownTexts": [texts.unknown_text(rng)["en"] for _ in range(60)]}


def main():
    folder, out = sys.argv[1:3]
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "translation.json"), "w", encoding="utf-8") as f:
        json.dump(translation(), f, ensure_ascii=False, indent=1)
    index = speech(folder, out)
    nonspeech(out)
    with open(os.path.join(out, "index.json"), "w", encoding="utf-8") as f:
        json.dump(index, f, ensure_ascii=False, indent=1)
    print(len(index), "utterances", sum(m["endMs"] - m["startMs"] for m in index) / 60000, "minutes of speech")


if __name__ == "__main__":
    main()
