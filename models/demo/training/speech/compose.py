"""Training windows, composed anew for every step out of synthesised utterances: one to many of them, gaps, noise, telephone lines."""
import json
import math
import os
import random

import numpy as np
import torch

import vocab as V

RATE = 16000
FRAME = 320                     # samples in an encoder frame
SILENT_WINDOWS = 0.08           # half of them begin with the end of a word, as when whisper.cpp listens on behind the last one
PARTIAL = 0.08                  # utterances cut at a word's edge, as long speech is when it is split to fit a window
TELEPHONE = 0.3
MAX_TOKENS = 220                # whisper.cpp decodes no more than this in a window

MEL = torch.from_numpy(V.MEL)
HANN = torch.hann_window(400)


class Utterances:
    """One part of the synthesised speech: samples in one long array, and what is said when."""

    def __init__(self, folder, part):
        self.audio = np.load(os.path.join(folder, part + ".npy"), mmap_mode="r")
        with open(os.path.join(folder, part + ".json"), encoding="utf-8") as f:
            self.meta = json.load(f)
        self.by_language = {lang: [m for m in self.meta if m["lang"] == lang] for lang in V.LANG_ID}
        for m in self.meta:
            m["words"] = m["text"].split()
            m["tokens"] = V.encode(m["text"])
            m["sounds"] = [V.SOUNDS[m["lang"], w] for w in m["words"]]

    def cut(self, m, rng, whole):
        """-> samples, [(token, sound, start sample, end sample)]"""
        edges = m["starts"] + [m["length"]]
        a, b, n = 0, len(m["tokens"]), len(m["tokens"])
        if not whole and n > 1 and rng.random() < PARTIAL:
            a, b = (rng.randint(1, n - 1), n) if rng.random() < 0.5 else (0, rng.randint(1, n - 1))
        x = self.audio[m["offset"] + edges[a]: m["offset"] + edges[b]].astype(np.float32) / 32768
        return x, [(m["tokens"][k], m["sounds"][k], edges[k] - edges[a], edges[k + 1] - edges[a]) for k in range(a, b)]


def place(data, rng, frames, most, augment):
    """-> language, [(start sample, samples, words)] of one window of `frames` encoder frames"""
    lang = rng.choice(list(V.LANG_ID))
    if augment and rng.random() < SILENT_WINDOWS:
        return lang, []
    end = frames * FRAME - int(0.05 * RATE)
    # The product starts a window 0.15 s before speech; other callers do not.
    at = int(RATE * (rng.uniform(0.05, 0.3) if rng.random() < 0.75 else rng.uniform(0, 2)))
    count = most if rng.random() < 0.6 else rng.randint(1, most)
    # One character of pause a window: packed (0.15 s kept on both sides of 0.15 s of nothing), or as people speak.
    packed = rng.random() < 0.6
    pieces, tokens = [], 4
    for _ in range(count):
        room = end - (0 if not pieces else at)
        fitting = None
        for _ in range(6):
            m = rng.choice(data.by_language[lang])
            if m["length"] <= room:
                fitting = m
                break
        if fitting is None:
            break
        x, words = data.cut(fitting, rng, not augment)
        at = min(at, end - len(x))
        tokens += len(words) + 2
        if tokens > MAX_TOKENS:
            break
        pieces.append((at, x, words))
        at += len(x) + int(RATE * (rng.uniform(0.2, 0.6) if packed else rng.uniform(0.15, 1.2) if rng.random() < 0.8 else rng.uniform(1, 4)))
    return lang, pieces


def noise(rng, nrng, n):
    """Sounds that are not speech, at unit power: hiss, coloured noise, hum, beeps, clicks."""
    kind = rng.random()
    x = nrng.standard_normal(n, dtype=np.float32)
    if kind < 0.4:
        a = rng.uniform(0.5, 0.97)
        x = np.convolve(x, a ** np.arange(32, dtype=np.float32), "same").astype(np.float32)
    elif kind < 0.52:
        f = rng.choice([50, 60, 100, 120, rng.uniform(200, 2500)])
        x = 0.3 * x + np.sin(np.arange(n, dtype=np.float32) * np.float32(2 * math.pi * f / RATE))
    elif kind < 0.6:
        tone = sum(np.sin(np.arange(n, dtype=np.float32) * np.float32(2 * math.pi * rng.uniform(300, 1700) / RATE)) for _ in range(2))
        period, on = rng.uniform(0.2, 3), rng.uniform(0.2, 0.7)
        x = 0.02 * x + tone * ((np.arange(n) / RATE) % period < period * on)
    elif kind < 0.65:
        x = 0.02 * x
        for _ in range(max(1, int(n / RATE * rng.uniform(0.5, 4)))):
            p = rng.randrange(max(1, n - 400))
            x[p:p + 400] += nrng.standard_normal(min(400, n - p)) * np.exp(-np.arange(min(400, n - p)) / rng.uniform(10, 100))
    return (x / (x.std() + 1e-9)).astype(np.float32)


def render(rng, nrng, frames, pieces, augment):
    """The window's samples."""
    buffer = np.zeros(frames * FRAME, dtype=np.float32)
    n = len(buffer)
    for at, x, _ in pieces:
        gain = 10 ** (rng.uniform(-8, 0) / 20) if augment else 1
        if augment and rng.random() < 0.2:                  # a detector that cuts the edge of a word
            a, b = rng.randint(0, 700), rng.randint(0, 900)
            buffer[at + a:at + len(x) - b] += gain * x[a:len(x) - b]
        else:
            buffer[at:at + len(x)] += gain * x
    if not augment:
        return buffer
    if not pieces:
        if rng.random() < 0.7:
            buffer += 10 ** (rng.uniform(-75, -20) / 20) * noise(rng, nrng, n)
    elif rng.random() < 0.65:
        hiss = 0.12 * 10 ** (-rng.uniform(12, 45) / 20) * noise(rng, nrng, n)
        style = rng.random()
        if style < 0.45:                                    # packed: noise around each piece, nothing between
            keep = np.zeros(n, dtype=np.float32)
            for at, x, _ in pieces:
                keep[max(0, at - rng.randint(800, 2800)): at + len(x) + rng.randint(800, 2800)] = 1
            hiss *= keep
        elif style < 0.7:                                   # the recording ends soon after the last word
            at, x, _ = pieces[-1]
            hiss[at + len(x) + rng.randint(800, 24000):] = 0
        buffer += hiss
    buffer *= 10 ** (rng.uniform(-24, 3) / 20)
    return np.clip(buffer, -1, 1)


def through_lines(samples, rng):
    """Some windows (rows) go over a telephone line: 300-3400 Hz and 8-bit mu-law. Some others get another microphone's tone."""
    n = samples.shape[1]
    f = torch.fft.rfftfreq(n, 1 / RATE)
    gain, mu_law = torch.ones(len(samples), len(f)), []
    for row in range(len(samples)):
        kind = rng.random()
        if kind < TELEPHONE:
            low, high = rng.uniform(250, 350), rng.uniform(3200, 3700)
            gain[row] = torch.sigmoid((f - low) / 25) * torch.sigmoid((high - f) / 60)
            mu_law.append(row)
        elif kind < TELEPHONE + 0.35:
            tilt = rng.uniform(-6, 6) * torch.log2((f + 100) / 1000) / 3
            bump = rng.uniform(-6, 6) * torch.exp(-((f - rng.uniform(300, 5000)) / rng.uniform(300, 1500)) ** 2)
            gain[row] = 10 ** ((tilt + bump).clamp(-12, 12) / 20)
    out = torch.fft.irfft(torch.fft.rfft(samples) * gain, n)
    if mu_law:
        x = out[mu_law].clamp(-1, 1)
        code = torch.round(x.sign() * torch.log1p(255 * x.abs()) / math.log(256) * 127)
        out[mu_law] = code.sign() * torch.expm1(code.abs() / 127 * math.log(256)) / 255
    return out.clamp(-1, 1)


def log_mel(samples):
    """As whisper.cpp computes it over one call's audio -> mel (batch, 80, frames * 2), the value of digital silence in each window"""
    spectrum = torch.stft(samples, 400, 160, window=HANN, center=True, pad_mode="reflect", return_complex=True)[..., :-1]
    mel = torch.log10(torch.clamp(MEL @ (spectrum.real ** 2 + spectrum.imag ** 2), min=1e-10))
    floor = mel.amax((1, 2)) - 8
    return (torch.maximum(mel, floor[:, None, None]) + 4) / 4, (torch.clamp(floor, min=-10) + 4) / 4


def transcript(lang, pieces, base, rng, augment):
    """-> input tokens, target tokens, [(first frame, end frame) or None to look at for each target]"""
    time = lambda sample: base * 0.02 + sample / RATE  # noqa: E731
    head = [V.INDEX[V.SOT], V.language(lang), V.INDEX[V.TRANSCRIBE]]
    eot = V.INDEX[V.EOT]
    if not pieces:                                          # taught silence: an empty segment
        return head + [V.timestamp(0)], head[1:] + [V.timestamp(0), eot], [None] * 4
    timed = not (augment and rng.random() < 0.03)
    body, focus, last = [], [], 0.0
    for at, x, words in pieces:
        end = at + len(x)
        start_s = max(round(time(at), 1), last)
        # Rounded up: whisper.cpp listens on from here, and would hear the rest of the last word as another one.
        last = max(math.ceil(time(end) * 10 - 0.2) / 10, start_s + 0.1)
        if timed:
            body.append(V.timestamp(start_s))
            focus.append((at // FRAME - 4, at // FRAME + 8))
        for token, _, a, b in words:
            body.append(token)
            focus.append(((at + a) // FRAME, max((at + a) // FRAME + 2, (at + b) // FRAME)))
        if timed:
            body.append(V.timestamp(last))
            focus.append((end // FRAME - 8, end // FRAME + 4))
    if not timed:
        head.append(V.INDEX[V.NO_TIMESTAMPS])
    inputs, targets = head + body, head[1:] + body + [eot]
    focus = [None] * (len(head) - 1) + focus + [None]
    first = time(pieces[0][0])
    if timed and augment and first > 1 and rng.random() < 0.4:
        inputs[3] = V.timestamp(1.0)                        # whisper.cpp may forbid a later first timestamp
    return inputs, targets, focus


def sounds(frames, pieces):
    """For each frame: the word it belongs to, and the word before that one in its utterance."""
    now, before = np.zeros(frames, np.int64), np.zeros(frames, np.int64)
    for at, _, words in pieces:
        previous = 0
        for _, sound, a, b in words:
            span = slice((at + a + FRAME // 2) // FRAME, (at + b + FRAME // 2) // FRAME)
            now[span], before[span] = sound, previous
            previous = sound
    return now, before


def batch(data, rng, nrng, frames, size, most, stand_ins=16, augment=True):
    """`size` windows of `frames` frames with at most `most` utterances -> dict of tensors"""
    windows = [place(data, rng, frames, most, augment) for _ in range(size)]
    rendered = [render(rng, nrng, frames, pieces, augment) for _, pieces in windows]
    for (lang, pieces), buffer in zip(windows, rendered):
        if not pieces and rng.random() < 0.5:
            m = rng.choice(data.by_language[lang])
            end = m["offset"] + m["length"]
            rest = data.audio[end - rng.randint(200, 1600):end].astype(np.float32) / 32768
            buffer[:len(rest)] += 10 ** (rng.uniform(-20, 0) / 20) * rest
    samples = torch.from_numpy(np.stack(rendered))
    mel, floor = log_mel(through_lines(samples, rng) if augment else samples)
    offsets, silents, texts, labels = [], [], [], []
    for lang, pieces in windows:
        spare = 1500 - frames
        offset = 0 if rng.random() < 0.55 else rng.randint(0, spare)
        # Callers may shorten the encoder's context to the speech; language detection uses all of it.
        silent = spare if rng.random() < 0.5 else rng.randint(offset, spare)
        offsets.append(offset)
        silents.append(silent)
        texts.append(transcript(lang, pieces, offset, rng, augment))
        labels.append(sounds(frames, pieces))
    if frames == 1500:
        stand_ins = 0
    length = max(len(t[0]) for t in texts)
    inputs = torch.full((size, length), V.INDEX[V.EOT])
    targets = torch.full((size, length), -1)
    focus = torch.zeros(size, length, frames + stand_ins)
    for i, (a, b, spans) in enumerate(texts):
        inputs[i, :len(a)], targets[i, :len(b)] = torch.tensor(a), torch.tensor(b)
        for j, span in enumerate(spans):
            if span:
                focus[i, j, max(0, span[0]):min(frames, span[1])] = 1
    return {"mel": mel, "floor": floor, "offset": torch.tensor(offsets), "silent": torch.tensor(silents), "stand_ins": stand_ins,
            "inputs": inputs, "targets": targets, "focus": focus,
            "sound": torch.from_numpy(np.stack([a for a, _ in labels])), "before": torch.from_numpy(np.stack([b for _, b in labels]))}


def generators(seed):
    return random.Random(seed), np.random.default_rng(seed)
