#!/usr/bin/python3
"""Write a checkpoint of train.py as a whisper.cpp model file.     usage: export.py CHECKPOINT.pt OUT.bin [q8_0|q5_1|q5_0|f16]"""
import struct
import sys
import zlib

import numpy as np
import torch

import vocab as V
from model import Whisper

# name: (file type, tensor type); file types of quantised files carry +2000 for quantisation version 2
FORMATS = {"f16": (1, 1), "q8_0": (2007, 8), "q5_0": (2008, 6), "q5_1": (2009, 7)}
MAGIC = 0x67676d6c
TRAINING_ONLY = ("sound.", "before.", "decoder.emb", "decoder.ts_proj", "decoder.ts_pe", "decoder.mask")


def half(a):
    return a.astype("<f2").view(np.uint8).reshape(-1, 2)


def q8_0(a):
    """Blocks of 32 values: a scale in half precision, 32 signed bytes."""
    b = a.reshape(-1, 32).astype(np.float32)
    scale = np.abs(b).max(1) / 127
    inverse = np.where(scale > 0, 1 / np.where(scale > 0, scale, 1), 0)
    out = np.zeros((len(b), 34), np.uint8)
    out[:, :2] = half(scale)
    out[:, 2:] = np.round(b * inverse[:, None]).astype(np.int8).view(np.uint8)
    return out.tobytes()


def _five_bits(values, out, at):
    """ggml's layout of 32 five-bit values: the fifth bits as one word, then the low halves in pairs (0,16), (1,17) .."""
    values = values.astype(np.uint32)
    high = np.zeros(len(values), np.uint32)
    for k in range(32):
        high |= ((values[:, k] >> 4) & 1) << np.uint32(k)
    out[:, at:at + 4] = high.astype("<u4").view(np.uint8).reshape(-1, 4)
    out[:, at + 4:] = ((values[:, :16] & 15) | ((values[:, 16:] & 15) << 4)).astype(np.uint8)


def q5_0(a):
    """Blocks of 32 values: a signed scale, 32 five-bit values around 16."""
    b = a.reshape(-1, 32).astype(np.float32)
    peak = b[np.arange(len(b)), np.abs(b).argmax(1)]
    scale = peak / -16
    inverse = np.where(scale != 0, 1 / np.where(scale != 0, scale, 1), 0)
    out = np.zeros((len(b), 22), np.uint8)
    out[:, :2] = half(scale)
    _five_bits(np.clip((b * inverse[:, None] + 16.5).astype(np.int32), 0, 31), out, 2)
    return out.tobytes()


def q5_1(a):
    """Blocks of 32 values: a scale and a minimum, 32 five-bit values."""
    b = a.reshape(-1, 32).astype(np.float32)
    low, high = b.min(1), b.max(1)
    scale = (high - low) / 31
    inverse = np.where(scale > 0, 1 / np.where(scale > 0, scale, 1), 0)
    out = np.zeros((len(b), 24), np.uint8)
    out[:, :2], out[:, 2:4] = half(scale), half(low)
    _five_bits(np.clip(((b - low[:, None]) * inverse[:, None] + 0.5).astype(np.int32), 0, 31), out, 4)
    return out.tobytes()


QUANTISE = {"q8_0": q8_0, "q5_0": q5_0, "q5_1": q5_1}


def tensors(model):
    """The model file's tensors by name. Every token never taught shares one embedding row."""
    out = {n: p.numpy() for n, p in model.state_dict().items() if not n.startswith(TRAINING_ONLY)}
    table = model.decoder.table().detach().numpy()
    full = np.repeat(table[-1:], V.N_VOCAB, 0)
    full[V.IDS] = table[:-1]
    out["decoder.token_embedding.weight"] = full
    return out


def export(checkpoint, path, kind):
    model = Whisper(**checkpoint["dims"])
    model.load_state_dict(checkpoint["model"])
    d = model.dims
    file_type, tensor_type = FORMATS[kind]
    with open(path, "wb") as f:
        f.write(struct.pack("<12i", MAGIC, V.N_VOCAB, d["actx"], d["d"], d["h"], d["ne"], d["tctx"], d["d"], d["h"], d["nd"], 80, file_type))
        f.write(struct.pack("<2i", *V.MEL.shape) + V.MEL.astype("<f4").tobytes())
        f.write(struct.pack("<i", len(V.TOKENS)) + b"".join(struct.pack("<i", len(t)) + t for t in V.TOKENS))
        for name, a in tensors(model).items():
            if name.endswith(("conv1.bias", "conv2.bias")):
                a = a.reshape(-1, 1)
            if a.ndim < 2 or name.endswith(("conv1.bias", "conv2.bias", "positional_embedding")):
                kind_of, data = 0, a.astype("<f4").tobytes()
            elif a.ndim == 3 or kind == "f16":              # convolutions are always half precision
                kind_of, data = 1, a.astype("<f2").tobytes()
            else:
                kind_of, data = tensor_type, QUANTISE[kind](a)
            f.write(struct.pack("<3i", a.ndim, len(name), kind_of) + struct.pack(f"<{a.ndim}i", *a.shape[::-1]) + name.encode() + data)


def main():
    kind = sys.argv[3] if len(sys.argv) > 3 else "q8_0"
    export(torch.load(sys.argv[1], map_location="cpu"), sys.argv[2], kind)
    with open(sys.argv[2], "rb") as f:
        data = f.read()
    print(sys.argv[2], len(data), "bytes,", len(zlib.compress(data, 9)), "after zlib,", kind)


if __name__ == "__main__":
    main()
