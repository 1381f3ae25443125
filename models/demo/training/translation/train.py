#!/usr/bin/python3
"""Train the translation model from nothing.     usage: train.py OUT.pt [--steps N] [--init CHECKPOINT.pt --lr 8e-4]

One training row is one instruction followed by as many (text, translation) segments as fit. The segments share the instruction
and do not see one another, and each starts at the position right after it, so every segment is exactly the prompt of run time.
The loss counts the translation alone. Needs python3-torch, python3-sentencepiece and libopenblas0-serial; uses one core.
"""
import argparse
import io
import json
import math
import random
import re
import time

import numpy as np
import sentencepiece
import torch
import torch.nn.functional as F

import texts
from model import Llama

LANGS, DIRECTIONS = texts.LANGS, texts.DIRECTIONS
CHUNK = re.compile(r"\n| ?[^ \n]+| ")
NEVER = -1e30


def parse_arguments():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--steps", type=int, default=10000)
    p.add_argument("--init", help="go on from this checkpoint; its tokenizer is kept")
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--warmup", type=int, default=150)
    p.add_argument("--easy", type=float, default=0.2, help="share of the steps with short texts only")
    p.add_argument("--tokens", type=int, default=2500, help="tokens a batch, about")
    p.add_argument("--row", type=int, default=140, help="tokens a row, where one segment is not longer")
    p.add_argument("--vocab", type=int, default=1300)
    p.add_argument("--d", type=int, default=128)
    p.add_argument("--layers", type=int, default=3)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--ff", type=int, default=352)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def train_tokenizer(size):
    """SentencePiece BPE with byte fallback, which llama.cpp reads as its 'llama' tokenizer. No dummy prefix: none at run time."""
    rng = random.Random(7)
    lines = []
    for k in range(12000):
        s = texts.draw(rng, held=False)
        lines += [(texts.written(s) if k % 3 == 0 else s)[lang] for lang in LANGS]
    for prompt in sorted(set(texts.PROMPTS)):
        for s, t in DIRECTIONS:
            for name in sorted(set(texts.NAMES[t])):
                lines += [part.format(S=texts.NAMES[s][0], T=name, x="").replace("\n", " ").strip() for part in prompt] * 30
    lines += ["system", "user", "assistant"] * 3000
    lines += [" ".join(texts.LATIN + texts.LATIN.upper() + texts.ARABIC + "0123456789٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹.,:;!?-'\"()/")] * 2
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([x for x in lines if x]), model_writer=out, model_type="bpe", vocab_size=size, byte_fallback=True,
        normalization_rule_name="identity", add_dummy_prefix=False, remove_extra_whitespaces=False, split_digits=True,
        character_coverage=1.0, hard_vocab_limit=False, num_threads=1, unk_id=0, bos_id=1, eos_id=2, pad_id=-1,
        control_symbols=["<|im_start|>", "<|im_end|>"], minloglevel=2)
    return out.getvalue()


class Encoder:
    """Token ids of texts and prompts; words are looked up in a cache, as the tokenizer never joins across blanks."""

    def __init__(self, proto):
        self.sp = sentencepiece.SentencePieceProcessor()
        self.sp.LoadFromSerializedProto(proto)
        self.size = self.sp.vocab_size()
        self.cache = {}
        self.bos, self.start, self.end = (self.sp.piece_to_id(t) for t in ("<s>", "<|im_start|>", "<|im_end|>"))
        self.system, self.user, self.assistant, self.newline = (self.sp.encode(t) for t in ("system\n", "user\n", "assistant\n", "\n"))
        self.answer = [self.end] + self.newline + [self.start] + self.assistant

    def encode(self, text):
        out = []
        for chunk in CHUNK.findall(text):
            ids = self.cache.get(chunk)
            if ids is None:
                ids = self.sp.encode(chunk)
                if len(self.cache) < 50000:
                    self.cache[chunk] = ids
            out += ids
        return out

    def instruction(self, source, target, prompt, rng):
        names = {"S": rng.choice(texts.NAMES[source]), "T": rng.choice(texts.NAMES[target]), "x": ""}
        ids = [self.bos]
        if prompt[0]:
            ids += [self.start] + self.system + self.encode(prompt[0].format(**names)) + [self.end] + self.newline
        return ids + [self.start] + self.user + self.encode(prompt[1].format(**names))

    def segment(self, rows, source, target, separator):
        """-> ids, number of them that are given and not to be learned"""
        given = self.encode(separator.join(r[source] for r in rows)) + self.answer
        return given + self.encode(separator.join(r[target] for r in rows)) + [self.end], len(given)


def random_segment(encoder, source, target, rng, easy):
    counts = [1, 2, 3, 4, 6, 8, 10, 12]
    n = rng.choices(counts, [90, 10, 0, 0, 0, 0, 0, 0] if easy else [36, 16, 12, 12, 8, 6, 5, 5])[0]
    if n > 4:
        n -= rng.randint(0, 1)
    separator = " " if rng.random() < 0.5 else "\n"
    return encoder.segment(texts.text(rng, n, 0.25 if n == 1 else 0.1), source, target, separator)


def random_row(encoder, rng, limit, easy):
    source, target = rng.choice(DIRECTIONS)
    prefix = encoder.instruction(source, target, rng.choice(texts.PROMPTS), rng)
    segments, n = [], len(prefix)
    limit = max(limit, n + 60)
    while True:
        s = random_segment(encoder, source, target, rng, easy)
        if segments and n + len(s[0]) > limit:
            return prefix, segments
        segments.append(s)
        n += len(s[0])


def collate(rows):
    """-> ids, targets (-1: not learned), positions, attention mask, segment numbers (0: the instruction)"""
    length = max(len(p) + sum(len(g) for g, _ in segments) for p, segments in rows)
    shape = (len(rows), length)
    ids, positions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    targets, segment = np.full(shape, -1, np.int64), np.full(shape, -1, np.int64)
    for i, (prefix, segments) in enumerate(rows):
        n = o = len(prefix)
        ids[i, :n], positions[i, :n], segment[i, :n] = prefix, range(n), 0
        for j, (g, given) in enumerate(segments):
            e = o + len(g)
            ids[i, o:e], positions[i, o:e], segment[i, o:e] = g, range(n, n + len(g)), j + 1
            targets[i, o + given - 1:e - 1] = g[given:]
            o = e
    segment = torch.from_numpy(segment)
    seen = (segment[:, None, :] == segment[:, :, None]) | (segment[:, None, :] == 0)
    seen &= torch.ones(length, length, dtype=torch.bool).tril()
    mask = torch.zeros(len(rows), 1, length, length).masked_fill_(~seen[:, None], NEVER)
    return torch.from_numpy(ids), torch.from_numpy(targets), torch.from_numpy(positions), mask, segment


def batches(encoder, rng, a, is_easy):
    """Rows of like length together, batches in random order."""
    size = lambda row: len(row[0]) + sum(len(g) for g, _ in row[1])  # noqa: E731
    while True:
        pool = sorted((random_row(encoder, rng, a.row, is_easy()) for _ in range(96)), key=size)
        out, current = [], []
        for row in pool:
            if current and size(row) * (len(current) + 1) > a.tokens:
                out.append(current)
                current = []
            current.append(row)
        out.append(current)
        rng.shuffle(out)
        yield from out


class Evaluation:
    """Held-back sentences of every direction, texts of two to four of them, and texts of unknown words."""

    def __init__(self, encoder, model):
        rng = random.Random(99)
        self.model = model

        def row(d, sentences, separator=" "):
            return (encoder.instruction(*d, texts.MAIN, rng), [encoder.segment(s, *d, separator) for s in sentences])

        def some(k, i):
            return [(texts.written if i % 3 == 0 else dict)(texts.draw(rng, held=True)) for _ in range(k)]

        self.sets = {"single": [row(d, [some(1, i) for i in range(16)]) for d in DIRECTIONS],
                     "2-4": [row(rng.choice(DIRECTIONS), [some(2 + i % 3, i)], " \n"[i % 2]) for i in range(60)],
                     "12": [row(rng.choice(DIRECTIONS), [some(12, i)], " \n"[i % 2]) for i in range(16)],
                     "copied": [row(rng.choice(DIRECTIONS), [[texts.unknown_text(rng)] for _ in range(4)]) for _ in range(20)],
                     "unknown word": [row(rng.choice(DIRECTIONS), [[texts.with_unknown_word(rng)] for _ in range(4)]) for _ in range(20)]}

    @torch.no_grad()
    def exact(self, rows):
        """Share of segments where every next token is right, which is when greedy decoding gives exactly the reference."""
        ids, targets, positions, mask, segment = collate(rows)
        hidden = self.model.hidden(ids, positions, mask)
        wrong = (self.model.logits(hidden).argmax(-1) != targets) & (targets >= 0)
        good = [not bool(wrong[i][segment[i] == j + 1].any()) for i, r in enumerate(rows) for j in range(len(r[1]))]
        return sum(good) / len(good)

    def run(self):
        return {name: round(self.exact(rows), 4) for name, rows in self.sets.items()}


def learning_rate(a, step):
    """Short warm-up, then a cosine down to 3% of the peak."""
    return a.lr * min(1, (step + 1) / a.warmup) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * step / a.steps)))


def main():
    a = parse_arguments()
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    rng = random.Random(a.seed)
    start = torch.load(a.init, map_location="cpu") if a.init else None
    proto = start["spm"] if start else train_tokenizer(a.vocab)
    encoder = Encoder(proto)
    config = dict(vocab=encoder.size, d=a.d, layers=a.layers, heads=a.heads, ff=a.ff, ctx=1024, eps=1e-5, rope_base=10000.0, langs=LANGS)
    model = Llama(start["config"] if start else config)
    if start:
        model.load_state_dict(start["model"])
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.05}, {"params": vectors, "weight_decay": 0.0}],
                                  lr=a.lr, betas=(0.9, 0.98))
    evaluation = Evaluation(encoder, model)
    print(encoder.size, "pieces,", sum(p.numel() for p in model.parameters()), "parameters", flush=True)

    def save():
        torch.save({"config": model.config, "model": model.state_dict(), "spm": proto, "arguments": vars(a)}, a.out)

    step, examples, losses, begin = 0, 0, [], time.time()
    for batch in batches(encoder, rng, a, lambda: step < a.easy * a.steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(a, step)
        ids, targets, positions, mask, _ = collate(batch)
        hidden = model.hidden(ids, positions, mask)
        learned = targets >= 0
        loss = F.cross_entropy(model.logits(hidden[learned]), targets[learned])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        examples += sum(len(row[1]) for row in batch)
        losses.append(loss.item())
        if step % 100 == 0:
            print(f"{time.time() - begin:6.0f} s  step {step}  examples {examples}  loss {np.mean(losses[-100:]):.4f}", flush=True)
        if step % 500 == 0 or step == a.steps:
            print("   exact, held back:", json.dumps(evaluation.run()), flush=True)
            save()
        if step == a.steps:
            return


if __name__ == "__main__":
    main()
