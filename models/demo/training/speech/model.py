"""Whisper's layout, small, with what training adds: two heads on the encoder and a view into the decoder's cross attention."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

import vocab as V

NEVER = -1e9
FRAME_S = 0.02              # one encoder frame; two mel frames
# Cross attention that is taught where to look: (decoder layer, heads). The first layer stays free.
GUIDED = {1: slice(0, 2), 2: slice(0, 2)}


def sinusoids(length, channels, longest=10000):
    step = math.log(longest) / (channels // 2 - 1)
    angle = torch.arange(length, dtype=torch.float32)[:, None] * torch.exp(-step * torch.arange(channels // 2, dtype=torch.float32))[None]
    return torch.cat([angle.sin(), angle.cos()], 1)


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key = nn.Linear(d, d), nn.Linear(d, d, bias=False)
        self.value, self.out = nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x, source=None, bias=None):
        """-> output, attention weights (batch, head, query, key)"""
        b, length, d = x.shape
        y = x if source is None else source
        size = d // self.heads
        q = self.query(x).view(b, length, self.heads, size).transpose(1, 2) * (size ** -0.5)
        k = self.key(y).view(b, -1, self.heads, size).permute(0, 2, 3, 1)
        v = self.value(y).view(b, -1, self.heads, size).transpose(1, 2)
        weights = q @ k
        if bias is not None:
            weights = weights + bias
        weights = weights.softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, length, d)), weights


class Block(nn.Module):
    def __init__(self, d, heads, cross=False):
        super().__init__()
        self.attn, self.attn_ln = Attention(d, heads), nn.LayerNorm(d)
        if cross:
            self.cross_attn, self.cross_attn_ln = Attention(d, heads), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.mlp_ln = nn.LayerNorm(d)

    def forward(self, x, source=None, bias=None, source_bias=None):
        x = x + self.attn(self.attn_ln(x), None, bias)[0]
        weights = None
        if source is not None:
            y, weights = self.cross_attn(self.cross_attn_ln(x), source, source_bias)
            x = x + y
        return x + self.mlp(self.mlp_ln(x)), weights


def convolve(x, layer, stride):
    """A convolution as one matrix product: the conv1d backward of Debian's torch 1.13 returns garbage on some CPUs."""
    x = F.pad(x, (0, 0, 1, 1))
    n = (x.shape[1] - 3) // stride + 1
    y = torch.cat([x[:, k:k + (n - 1) * stride + 1:stride] for k in range(3)], -1)
    return y @ layer.weight.permute(2, 1, 0).reshape(-1, layer.weight.shape[0]) + layer.bias


class Encoder(nn.Module):
    def __init__(self, d, heads, layers, context):
        super().__init__()
        self.conv1 = nn.Conv1d(80, d, 3, padding=1)
        self.conv2 = nn.Conv1d(d, d, 3, stride=2, padding=1)
        self.register_buffer("positional_embedding", sinusoids(context, d))
        self.blocks = nn.ModuleList([Block(d, heads) for _ in range(layers)])
        self.ln_post = nn.LayerNorm(d)

    def stem(self, mel):
        return F.gelu(convolve(F.gelu(convolve(mel.transpose(1, 2), self.conv1, 1)), self.conv2, 2))

    def forward(self, mel, offset, silent, floor, stand_ins):
        """mel (batch, 80, 2T): frames offset..offset+T of a window; `silent` further frames around them hold nothing.

        A few stand-ins drawn at random take the place of all silent frames; their keys get +log(silent / stand_ins), so training
        sees windows of up to 30 s at the price of the speech in them. -> frames (batch, T + stand_ins, d), bias for their keys"""
        x = self.stem(mel)
        b, length, d = x.shape
        pe = self.positional_embedding
        x = x + pe[offset[:, None] + torch.arange(length)[None]]
        if stand_ins == 0:
            bias = None
        else:
            empty = self.stem(floor[:, None, None].expand(b, 80, 8))[:, 1:2]
            at = (torch.rand(b, stand_ins) * silent[:, None]).long()
            at = (at + (at >= offset[:, None]).long() * length).clamp(max=pe.shape[0] - 1)
            x = torch.cat([x, empty + pe[at]], 1)
            bias = torch.zeros(b, 1, 1, length + stand_ins)
            share = torch.log(silent.float().clamp(min=1) / stand_ins)
            bias[:, 0, 0, length:] = torch.where(silent > 0, share, torch.full_like(share, NEVER))[:, None]
        for block in self.blocks:
            x, _ = block(x, None, bias)
        return self.ln_post(x), bias


class Decoder(nn.Module):
    def __init__(self, d, heads, layers, context):
        super().__init__()
        self.register_buffer("positional_embedding", 0.3 * sinusoids(context, d))
        self.emb = nn.Parameter(torch.randn(V.N_TAUGHT + 1, d) * 0.05)           # last row: every token never taught
        self.ts_proj = nn.Parameter(torch.randn(d, d) * 0.05 / math.sqrt(d))
        self.register_buffer("ts_pe", sinusoids(1501, d)[::V.TIME_STEP])
        self.blocks = nn.ModuleList([Block(d, heads, True) for _ in range(layers)])
        self.ln = nn.LayerNorm(d)
        self.register_buffer("mask", torch.full((context, context), NEVER).triu(1))

    def table(self):
        """Embedding rows of the taught tokens. Timestamps are a projection of the encoder's own clock, not 301 loose vectors."""
        n = V.N_TAUGHT
        times = self.emb[n - V.N_TIMES:n] + self.ts_pe @ self.ts_proj
        return torch.cat([self.emb[:n - V.N_TIMES], times, self.emb[n:]])

    def forward(self, tokens, source, source_bias):
        """-> logits over the taught tokens and one row for all others, guided attention [(batch, head, query, key)]"""
        table = self.table()
        length = tokens.shape[1]
        x = table[tokens] + self.positional_embedding[:length]
        guided = []
        for i, block in enumerate(self.blocks):
            x, weights = block(x, source, self.mask[:length, :length], source_bias)
            if i in GUIDED:
                guided.append(weights[:, GUIDED[i]])
        logits = self.ln(x) @ table.t()
        others = torch.zeros(V.N_TAUGHT + 1)
        others[-1] = math.log(V.N_VOCAB - V.N_TAUGHT)
        return logits + others, guided


class Whisper(nn.Module):
    """`sound` and `before` are heads for training only: which word an encoder frame belongs to, and which word came before it."""

    def __init__(self, d=96, h=3, ne=3, nd=3, actx=1500, tctx=448):
        super().__init__()
        self.dims = dict(d=d, h=h, ne=ne, nd=nd, actx=actx, tctx=tctx)
        self.encoder = Encoder(d, h, ne, actx)
        self.decoder = Decoder(d, h, nd, tctx)
        self.sound = nn.Linear(d, len(V.SOUNDS) + 1)
        self.before = nn.Linear(d, len(V.SOUNDS) + 1)
