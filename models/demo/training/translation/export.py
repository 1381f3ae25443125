#!/usr/bin/python3
"""Write a checkpoint of train.py as GGUF version 3, llama architecture.     usage: export.py CHECKPOINT.pt OUT.gguf [f16|q8_0|f32]"""
import struct
import sys

import numpy as np
import sentencepiece
import torch

U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
FORMAT = {U32: "<I", I32: "<i", F32: "<f", BOOL: "<?"}
F32_TENSOR, F16_TENSOR, Q8_0_TENSOR = 0, 1, 8
FILE_TYPE = {"f32": 0, "f16": 1, "q8_0": 7}
ALIGNMENT = 32
CHATML = ("{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}"
          "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def value(kind, v):
    return string(v) if kind == STRING else struct.pack(FORMAT[kind], v)


def pair(key, kind, v):
    return string(key) + struct.pack("<I", kind) + value(kind, v)


def pairs(key, kind, values):
    return string(key) + struct.pack("<IIQ", ARRAY, kind, len(values)) + b"".join(value(kind, v) for v in values)


def q8_0(a):
    """Blocks of 32 values: a scale in half precision, 32 signed bytes."""
    b = a.astype(np.float32).reshape(-1, 32)
    scale = (np.abs(b).max(1) / 127.0).astype(np.float16)
    inverse = np.where(scale > 0, 1.0 / np.maximum(scale.astype(np.float32), 1e-12), 0)
    out = np.empty((len(b), 34), np.uint8)
    out[:, :2] = scale.view(np.uint8).reshape(-1, 2)
    out[:, 2:] = np.clip(np.round(b * inverse[:, None]), -127, 127).astype(np.int8).view(np.uint8)
    return out.tobytes()


def metadata(config, sp, kind):
    pieces = range(sp.vocab_size())
    # llama.cpp's token types: 2 unknown, 3 control, 6 byte, 1 normal
    types = [2 if sp.is_unknown(i) else 3 if sp.is_control(i) else 6 if sp.is_byte(i) else 1 for i in pieces]
    end = sp.piece_to_id("<|im_end|>")
    return [
        pair("general.architecture", STRING, "llama"), pair("general.type", STRING, "model"),
        pair("general.name", STRING, "demo-translator"), pair("general.license", STRING, "mit"),
        pair("general.description", STRING, "Tiny demo translation model trained from nothing on a closed grammar; not for real use."),
        pairs("general.languages", STRING, config["langs"]), pairs("general.tags", STRING, ["translation", "demo"]),
        pair("general.file_type", U32, FILE_TYPE[kind]), pair("general.quantization_version", U32, 2), pair("general.alignment", U32, ALIGNMENT),
        pair("llama.context_length", U32, config["ctx"]), pair("llama.embedding_length", U32, config["d"]),
        pair("llama.block_count", U32, config["layers"]), pair("llama.feed_forward_length", U32, config["ff"]),
        pair("llama.attention.head_count", U32, config["heads"]), pair("llama.attention.head_count_kv", U32, config["heads"]),
        pair("llama.attention.layer_norm_rms_epsilon", F32, config["eps"]),
        pair("llama.rope.dimension_count", U32, config["d"] // config["heads"]), pair("llama.rope.freq_base", F32, config["rope_base"]),
        pair("llama.vocab_size", U32, config["vocab"]),
        pair("tokenizer.ggml.model", STRING, "llama"), pair("tokenizer.ggml.pre", STRING, "default"),
        pairs("tokenizer.ggml.tokens", STRING, [sp.id_to_piece(i) for i in pieces]),
        pairs("tokenizer.ggml.scores", F32, [sp.get_score(i) for i in pieces]), pairs("tokenizer.ggml.token_type", I32, types),
        pair("tokenizer.ggml.bos_token_id", U32, sp.piece_to_id("<s>")), pair("tokenizer.ggml.eos_token_id", U32, end),
        pair("tokenizer.ggml.eot_token_id", U32, end), pair("tokenizer.ggml.unknown_token_id", U32, sp.piece_to_id("<unk>")),
        pair("tokenizer.ggml.add_bos_token", BOOL, True), pair("tokenizer.ggml.add_eos_token", BOOL, False),
        pair("tokenizer.ggml.add_space_prefix", BOOL, False), pair("tokenizer.ggml.remove_extra_whitespaces", BOOL, False),
        pair("tokenizer.chat_template", STRING, CHATML)]


def tensors(config, w):
    out = [("token_embd.weight", w["emb.weight"])]
    for i in range(config["layers"]):
        block, name = f"blocks.{i}.", f"blk.{i}."
        q, k, v = w[block + "qkv.weight"].split(config["d"], 0)
        gate, up = w[block + "gate_up.weight"].split(config["ff"], 0)
        out += [(name + "attn_norm.weight", w[block + "attn_norm.weight"]), (name + "attn_q.weight", q), (name + "attn_k.weight", k),
                (name + "attn_v.weight", v), (name + "attn_output.weight", w[block + "attn_output.weight"]),
                (name + "ffn_norm.weight", w[block + "ffn_norm.weight"]), (name + "ffn_gate.weight", gate), (name + "ffn_up.weight", up),
                (name + "ffn_down.weight", w[block + "ffn_down.weight"])]
    return out + [("output_norm.weight", w["norm.weight"])]


def export(checkpoint, path, kind):
    config = checkpoint["config"]
    sp = sentencepiece.SentencePieceProcessor()
    sp.LoadFromSerializedProto(checkpoint["spm"])
    infos, blobs, offset = [], [], 0
    for name, tensor in tensors(config, checkpoint["model"]):
        a = tensor.detach().float().numpy()
        if not np.isfinite(a).all():
            raise ValueError(name + " holds values that are not finite")
        if a.ndim == 1 or kind == "f32":
            kind_of, data = F32_TENSOR, a.astype("<f4").tobytes()
        elif kind == "q8_0" and a.shape[1] % 32 == 0:
            kind_of, data = Q8_0_TENSOR, q8_0(a)
        else:
            kind_of, data = F16_TENSOR, a.astype("<f2").tobytes()
        shape = b"".join(struct.pack("<Q", x) for x in reversed(a.shape))
        infos.append(string(name) + struct.pack("<I", a.ndim) + shape + struct.pack("<IQ", kind_of, offset))
        data += b"\0" * (-len(data) % ALIGNMENT)
        blobs.append(data)
        offset += len(data)
    pairs_ = metadata(config, sp, kind)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(pairs_)) + b"".join(pairs_) + b"".join(infos)
    head += b"\0" * (-len(head) % ALIGNMENT)
    with open(path, "wb") as f:
        f.write(head + b"".join(blobs))
    print(path, len(head) + offset, "bytes")


def main():
    export(torch.load(sys.argv[1], map_location="cpu"), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "f16")


if __name__ == "__main__":
    main()
