#!/usr/bin/python3
"""Train the speech model from nothing.     usage: train.py DATA_DIR OUT.pt [--steps N] [--resume OUT.pt]

The recipe: the encoder learns for every frame which word it belongs to and which word came before (the synthesiser tells when each
word begins); half the cross attention of the upper decoder layers is taught to look at the word that comes next; the decoder learns
transcripts with timestamps. Windows grow from one short utterance to 30 s of many. One process composes the windows, another takes the
steps, with one thread each. Needs python3-torch and libopenblas0-serial.
"""
import argparse
import json
import math
import os
import random
import time

import numpy as np
import torch
import torch.multiprocessing as mp
import torch.nn.functional as F

import compose
import vocab as V
from model import Whisper

# encoder frames of a window: (windows a batch, most utterances)
SHAPES = {80: (28, 1), 112: (22, 1), 160: (16, 2), 240: (11, 3), 360: (7, 4), 520: (5, 6), 800: (3, 9), 1100: (2, 12), 1500: (2, 16)}
# (until this share of the steps, weights of the shapes)
CURRICULUM = [(0.20, {80: 4, 112: 4, 160: 3}),
              (0.40, {80: 1, 112: 2, 160: 3, 240: 3, 360: 2}),
              (0.60, {112: 2, 160: 2, 240: 3, 360: 3, 520: 2, 800: 1}),
              (1.00, {112: 2, 160: 2, 240: 2, 360: 2, 520: 2, 800: 2, 1100: 2, 1500: 2})]
SOUND_WEIGHT, BEFORE_WEIGHT, GUIDE_WEIGHT = 0.5, 0.25, 0.3


def parse_arguments():
    p = argparse.ArgumentParser()
    p.add_argument("data")
    p.add_argument("out")
    p.add_argument("--steps", type=int, default=18000)
    p.add_argument("--resume", help="go on from this checkpoint, its optimiser and its step")
    p.add_argument("--init", help="begin a schedule of its own at step 0 with this checkpoint")
    p.add_argument("--from-share", type=float, default=0.0, help="where in the curriculum to begin, with --init")
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--final", type=float, default=0.03, help="last learning rate as a share of the first")
    p.add_argument("--warmup", type=int, default=200)
    p.add_argument("--d", type=int, default=96)
    p.add_argument("--heads", type=int, default=3)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def shape_at(share, seed, step):
    weights = next(w for until, w in CURRICULUM if share < until or until == 1)
    return random.Random(seed * 1000003 + step).choices(list(weights), list(weights.values()))[0]


def losses(model, b):
    source, bias = model.encoder(b["mel"], b["offset"], b["silent"], b["floor"], b["stand_ins"])
    logits, guided = model.decoder(b["inputs"], source, bias)
    text = F.cross_entropy(logits.flatten(0, 1), b["targets"].flatten(), ignore_index=-1)
    frames = source[:, :b["sound"].shape[1]]
    sound = F.cross_entropy(model.sound(frames).flatten(0, 1), b["sound"].flatten())
    before = F.cross_entropy(model.before(frames).flatten(0, 1), b["before"].flatten())
    wanted = b["focus"].amax(-1) > 0
    guide = sum(-torch.log((w * b["focus"][:, None]).sum(-1) + 1e-6).mean(1)[wanted].mean() for w in guided) / len(guided)
    if not wanted.any():
        guide = text.new_zeros(())
    return text, sound, before, guide, logits


@torch.no_grad()
def evaluate(model, data):
    """Held-back sentences and voices, teacher-forced: share of utterance windows with every word right, and of right words."""
    rng, nrng = compose.generators(99)
    state = torch.get_rng_state()
    torch.manual_seed(99)
    report = []
    for frames, size, most in ((160, 40, 1), (520, 16, 6), (1500, 6, 16)):
        good = whole = words = right = times = near = 0
        for _ in range(2):
            b = compose.batch(data, rng, nrng, frames, size, most, augment=False)
            guess = losses(model, b)[-1].argmax(-1)
            is_word = (b["targets"] >= 0) & (b["targets"] < V.N_WORDS)
            is_time = b["targets"] >= V.N_TAUGHT - V.N_TIMES
            hit = guess == b["targets"]
            good += (hit | ~is_word).all(1).sum().item()
            whole += size
            words += is_word.sum().item()
            right += (hit & is_word).sum().item()
            near += (((guess - b["targets"]).abs() <= 2) & is_time).sum().item()
            times += is_time.sum().item()
        report.append(f"{frames * 0.02:.0f} s: windows {good / whole:.2f} words {right / words:.3f} times {near / times:.2f}")
    torch.set_rng_state(state)
    return ", ".join(report)


def compose_batches(queue, a, step):
    """The composing process: one batch for each step, a few ahead."""
    torch.set_num_threads(1)
    rng, nrng = compose.generators(a.seed * 97 + 1000 * step)
    data = compose.Utterances(a.data, "train")
    while step < a.steps:
        share = step / a.steps
        frames = shape_at(a.from_share + (1 - a.from_share) * share, a.seed, step)
        queue.put(compose.batch(data, rng, nrng, frames, *SHAPES[frames]))
        step += 1
    queue.join()


def learning_rate(a, step):
    """Short warm-up, then a cosine down to `--final` of the peak."""
    return a.lr * min(1, (step + 1) / a.warmup) * (a.final + (1 - a.final) * 0.5 * (1 + math.cos(math.pi * step / a.steps)))


def new_optimizer(model, lr):
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() <= 1]
    return torch.optim.AdamW([{"params": matrices, "weight_decay": 0.02}, {"params": vectors, "weight_decay": 0.0}],
                             lr=lr, betas=(0.9, 0.98), eps=1e-8)


def save(path, model, optimizer, step):
    torch.save({"dims": model.dims, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, path + ".new")
    os.replace(path + ".new", path)


def main():
    a = parse_arguments()
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    start = torch.load(a.resume or a.init, map_location="cpu") if a.resume or a.init else None
    model = Whisper(**(start["dims"] if start else {"d": a.d, "h": a.heads}))
    optimizer = new_optimizer(model, a.lr)
    if start:
        model.load_state_dict(start["model"])
        optimizer.load_state_dict(start["optimizer"])
    step = start["step"] if a.resume else 0
    print(json.dumps(vars(a)), sum(p.numel() for p in model.parameters()), "parameters", flush=True)
    torch.manual_seed(a.seed * 89 + 1000 * step)
    context = mp.get_context("spawn")
    queue = context.JoinableQueue(6)
    context.Process(target=compose_batches, args=(queue, a, step), daemon=True).start()
    test = compose.Utterances(a.data, "test")
    sums, begin, waiting = np.zeros(5), time.time(), 0.0
    while step < a.steps:
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(a, step)
        t = time.time()
        b = queue.get()
        queue.task_done()
        waiting += time.time() - t
        text, sound, before, guide, _ = losses(model, b)
        loss = text + SOUND_WEIGHT * sound + BEFORE_WEIGHT * before + GUIDE_WEIGHT * guide
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if math.isfinite(norm):
            optimizer.step()
        step += 1
        sums += [text.item(), sound.item(), before.item(), guide.item(), 1]
        if step % 50 == 0:
            mean = sums[:4] / sums[4]
            print(f"{time.time() - begin:6.0f} s  step {step}  text {mean[0]:.3f} sound {mean[1]:.3f} before {mean[2]:.3f} "
                  f"guide {mean[3]:.3f}  waiting {waiting / (time.time() - begin):.2f}", flush=True)
            sums[:] = 0
        if step % 500 == 0 or step == a.steps:
            print("   held back:", evaluate(model, test), flush=True)
            save(a.out, model, optimizer, step)


if __name__ == "__main__":
    main()
