"""A small llama-architecture transformer whose weights map one to one onto llama.cpp's GGUF tensors.

RoPE turns interleaved pairs (x0,x1),(x2,x3).. as llama.cpp's LLAMA_ROPE_TYPE_NORM does, so attn_q and attn_k are written as they
are, without the permutation Hugging Face checkpoints need. The output matrix is the embedding's (no output.weight in the file).
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    def __init__(self, d, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + self.eps) * self.weight


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c["d"]
        self.heads, self.head_size = c["heads"], d // c["heads"]
        self.attn_norm, self.ffn_norm = RMSNorm(d, c["eps"]), RMSNorm(d, c["eps"])
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.attn_output = nn.Linear(d, d, bias=False)
        self.gate_up = nn.Linear(d, 2 * c["ff"], bias=False)
        self.ffn_down = nn.Linear(c["ff"], d, bias=False)

    def forward(self, x, cos, sin, mask):
        b, length, d = x.shape
        q, k, v = self.qkv(self.attn_norm(x)).view(b, length, 3, self.heads, self.head_size).permute(2, 0, 3, 1, 4).unbind(0)
        q, k = _rotate(q, cos, sin), _rotate(k, cos, sin)
        weights = ((q @ k.transpose(-1, -2)) * (1 / math.sqrt(self.head_size)) + mask).softmax(-1)
        x = x + self.attn_output((weights @ v).transpose(1, 2).reshape(b, length, d))
        gate, up = self.gate_up(self.ffn_norm(x)).chunk(2, -1)
        return x + self.ffn_down(F.silu(gate) * up)


def _rotate(t, cos, sin):
    a, b = t[..., 0::2], t[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


class Llama(nn.Module):
    """config: vocab, d, layers, heads, ff, ctx, eps, rope_base"""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.emb = nn.Embedding(config["vocab"], config["d"])
        self.blocks = nn.ModuleList(Block(config) for _ in range(config["layers"]))
        self.norm = RMSNorm(config["d"], config["eps"])
        for name, p in self.named_parameters():
            if p.dim() > 1:
                std = 0.02 if name.startswith("emb") else config["d"] ** -0.5
                if "attn_output" in name or "ffn_down" in name:
                    std = p.shape[1] ** -0.5 / math.sqrt(2 * config["layers"])
                nn.init.normal_(p, 0, std)
        size = config["d"] // config["heads"]
        frequency = config["rope_base"] ** (-torch.arange(0, size, 2).float() / size)
        angle = torch.arange(config["ctx"]).float()[:, None] * frequency[None]
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)

    def hidden(self, ids, positions, mask):
        x = self.emb(ids)
        cos, sin = self.cos[positions][:, None], self.sin[positions][:, None]
        for block in self.blocks:
            x = block(x, cos, sin, mask)
        return self.norm(x)

    def logits(self, hidden):
        return hidden @ self.emb.weight.t()
