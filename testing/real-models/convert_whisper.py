"""Turns a CTranslate2 folder of Whisper into ONNX files in sherpa-onnx's format, without PyTorch.

    python convert_whisper.py FOLDER OUT      (needs numpy, onnx and onnxruntime)

Writes encoder.onnx and decoder.onnx (float32), encoder.int8.onnx, decoder.int8.onnx and tokens.txt. The graphs are written by hand, with
the inputs and outputs of sherpa-onnx's exports with attention: the decoder's last output gives words their times.
"""

import base64
import json
import struct
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

# The languages that the export can be asked for. Whisper tells the language among these alone, which is right far more often than
# among 99; Hindi is here because it is what Whisper hears in Urdu.
LANGUAGES = ("ps", "en", "ur", "hi", "fa", "ar")
DTYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def read_variables(path):
    """The arrays of model.bin by name (CTranslate2, binary version 6)."""
    with open(path, "rb") as file:

        def number(code):
            return struct.unpack(code, file.read(struct.calcsize(code)))[0]

        def text():
            return file.read(number("<H"))[:-1].decode()

        version, spec, _revision, count = number("<I"), text(), number("<I"), number("<I")
        if (version, spec) != (6, "WhisperSpec"):
            raise SystemExit(f"{path} is {spec} of version {version}, not WhisperSpec of version 6")
        variables = {}
        for _ in range(count):
            name = text()
            shape = [number("<I") for _ in range(number("<B"))]
            dtype, size = DTYPES[number("<B")], number("<I")
            array = np.frombuffer(file.read(size), dtype).reshape(shape)
            variables[name] = array.astype(np.float32) if dtype is np.float16 else array
        for _ in range(number("<I")):
            alias = text()
            variables[alias] = variables[text()]
    return variables


class Graph:
    """The nodes and weights of one ONNX graph."""

    def __init__(self):
        self.nodes, self.weights = [], {}

    def weight(self, array, name=None):
        name = name or f"w{len(self.weights)}"
        self.weights[name] = numpy_helper.from_array(np.array(array, order="C"), name)
        return name

    def ints(self, *values):
        return self.weight(np.array(values, np.int64))

    def add(self, kind, *inputs, outputs=1, name=None, **attributes):
        names = [name] if name else [f"t{len(self.nodes)}_{n}" for n in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=f"{kind}_{len(self.nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, x, weight, bias=None):
        y = self.add("MatMul", x, self.weight(weight.T))
        return y if bias is None else self.add("Add", y, self.weight(bias))

    def save(self, path, inputs, outputs, metadata=()):
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        graph = helper.make_graph(self.nodes, "whisper", inputs, outputs, list(self.weights.values()))
        model = helper.make_model(graph, opset_imports=opsets)
        model.ir_version = 8
        for key, value in dict(metadata).items():
            model.metadata_props.add(key=key, value=str(value))
        onnx.save(model, path)


def value(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


class Whisper:
    """Weights and sizes of a model, and the parts that encoder and decoder share."""

    def __init__(self, folder):
        self.v = v = read_variables(folder / "model.bin")
        self.heads = int(v["encoder/num_heads"])
        self.state = v["encoder/conv1/bias"].shape[0]
        self.head_size = self.state // self.heads
        self.scale = np.float32(self.head_size**-0.5)
        self.encoder_layers, self.decoder_layers = (self.count_layers(side) for side in ("encoder", "decoder"))
        self.alignment_heads = json.loads((folder / "config.json").read_text()).get("alignment_heads", [])

    def count_layers(self, side):
        parts = (name.split("/") for name in self.v if name.startswith(f"{side}/layer_"))
        return len({layer for _, layer, *_ in parts if layer.removeprefix("layer_").isdigit()})

    def norm(self, g, x, path):
        gamma, beta = g.weight(self.v[f"{path}/gamma"]), g.weight(self.v[f"{path}/beta"])
        return g.add("LayerNormalization", x, gamma, beta, axis=-1, epsilon=1e-5)

    def project(self, g, x, path, scale=1):
        return g.linear(x, self.v[f"{path}/weight"] * scale, self.v[f"{path}/bias"] * scale)

    def query_key_value(self, g, x, path):
        weight, bias = self.v[f"{path}/weight"].copy(), self.v[f"{path}/bias"].copy()
        weight[: self.state] *= self.scale
        bias[: self.state] *= self.scale
        return g.add("Split", g.linear(x, weight, bias), g.ints(*[self.state] * 3), outputs=3, axis=2)

    def split_heads(self, g, x, order):
        return g.add("Transpose", g.add("Reshape", x, g.ints(0, 0, self.heads, self.head_size)), perm=order)

    def join_heads(self, g, x):
        return g.add("Reshape", g.add("Transpose", x, perm=[0, 2, 1, 3]), g.ints(0, 0, self.state))

    def feed_forward(self, g, x, path):
        y = self.project(g, self.norm(g, x, f"{path}/layer_norm"), f"{path}/linear_0")
        y = g.add("Gelu", y, domain="com.microsoft")
        return g.add("Add", x, self.project(g, y, f"{path}/linear_1"))

    def stack(self, g, tensors, name):
        return g.add("Concat", *[g.add("Unsqueeze", tensor, g.ints(0)) for tensor in tensors], axis=0, name=name)

    def cross_values(self):
        sizes = ["N", self.heads]
        keys = value("n_layer_cross_k", FLOAT, [self.decoder_layers, *sizes, self.head_size, "A"])
        return [keys, value("n_layer_cross_v", FLOAT, [self.decoder_layers, *sizes, "A", self.head_size])]

    def caches(self, prefix, length):
        shape = [self.decoder_layers, "N", length, self.state]
        return [value(f"{prefix}_n_layer_self_{kind}_cache", FLOAT, shape) for kind in "kv"]

    def save_encoder(self, path, metadata):
        g, v, x = Graph(), self.v, "mel"
        for conv, strides in (("conv1", [1]), ("conv2", [2])):
            weight, bias = (g.weight(v[f"encoder/{conv}/{part}"]) for part in ("weight", "bias"))
            x = g.add("Conv", x, weight, bias, kernel_shape=[3], pads=[1, 1], strides=strides)
            x = g.add("Gelu", x, domain="com.microsoft")
        x = g.add("Transpose", x, perm=[0, 2, 1])
        length = g.add("Gather", g.add("Shape", x), g.ints(1), axis=0)
        positions = g.weight(v["encoder/position_encodings/encodings"])
        x = g.add("Add", x, g.add("Slice", positions, g.ints(0), length, g.ints(0)))
        for layer in range(self.encoder_layers):
            part = f"encoder/layer_{layer}/self_attention"
            y = self.norm(g, x, f"{part}/layer_norm")
            joined = g.add("MatMul", y, g.weight(v[f"{part}/linear_0/weight"].T))
            q, k, u = g.add("Split", joined, g.ints(*[self.state] * 3), outputs=3, axis=2)
            bias = g.weight(v[f"{part}/linear_0/bias"])
            y = g.add("MultiHeadAttention", q, k, u, bias, domain="com.microsoft", num_heads=self.heads)
            x = g.add("Add", x, self.project(g, y, f"{part}/linear_1"))
            x = self.feed_forward(g, x, f"encoder/layer_{layer}/ffn")
        x = self.norm(g, x, "encoder/layer_norm")
        keys, values = [], []
        # How both are laid out is free: they are only handed on to the decoder.
        for layer in range(self.decoder_layers):
            part = f"decoder/layer_{layer}/attention/linear_1"
            (k_weight, v_weight), (_, v_bias) = np.split(v[f"{part}/weight"], 2), np.split(v[f"{part}/bias"], 2)
            keys.append(self.split_heads(g, g.linear(x, k_weight), [0, 2, 3, 1]))
            values.append(self.split_heads(g, g.linear(x, v_weight, v_bias), [0, 2, 1, 3]))
        self.stack(g, keys, "n_layer_cross_k")
        self.stack(g, values, "n_layer_cross_v")
        bands = v["encoder/conv1/weight"].shape[1]
        g.save(path, [value("mel", FLOAT, ["N", bands, "T"])], self.cross_values(), metadata)

    def save_decoder(self, path, is_int8):
        g, v = Graph(), self.v
        embeddings = v["decoder/embeddings/weight"]
        positions = v["decoder/position_encodings/encodings"]
        end = g.add("Add", "offset", g.add("Gather", g.add("Shape", "tokens"), g.ints(1), axis=0))
        # The table of tokens is the largest weight and both first and last: it is quantized by row here, once for both.
        if is_int8:
            row_scale = (np.abs(embeddings).max(1, keepdims=True) / 127).astype(np.float32)
            table = g.weight(np.clip(np.round(embeddings / row_scale), -127, 127).astype(np.int8))
            rows = g.add("Cast", g.add("Gather", table, "tokens"), to=FLOAT)
            x = g.add("Mul", rows, g.add("Gather", g.weight(row_scale), "tokens"))
        else:
            table = g.weight(embeddings)
            x = g.add("Gather", table, "tokens")
        x = g.add("Add", x, g.add("Slice", g.weight(positions), "offset", end, g.ints(0)))
        ahead = np.triu(np.full((len(positions), len(positions)), -1e9, np.float32), 1)
        mask = g.add("Slice", g.add("Slice", g.weight(ahead), "offset", end, g.ints(0)), g.ints(0), end, g.ints(1))
        caches = [g.add("Slice", f"in_n_layer_self_{kind}_cache", g.ints(0), "offset", g.ints(2)) for kind in "kv"]
        keys, values, attention = [], [], []
        for layer in range(self.decoder_layers):
            at = g.weight(np.array(layer, np.int64))
            part = f"decoder/layer_{layer}/self_attention"
            q, k, u = self.query_key_value(g, self.norm(g, x, f"{part}/layer_norm"), f"{part}/linear_0")
            k, u = (g.add("Concat", g.add("Gather", cache, at, axis=0), new, axis=1) for cache, new in zip(caches, (k, u)))
            keys.append(k)
            values.append(u)
            scores = g.add("MatMul", self.split_heads(g, q, [0, 2, 1, 3]), self.split_heads(g, k, [0, 2, 3, 1]))
            weights = g.add("Softmax", g.add("Add", scores, mask), axis=-1)
            y = self.join_heads(g, g.add("MatMul", weights, self.split_heads(g, u, [0, 2, 1, 3])))
            x = g.add("Add", x, self.project(g, y, f"{part}/linear_1"))

            part = f"decoder/layer_{layer}/attention"
            q = self.project(g, self.norm(g, x, f"{part}/layer_norm"), f"{part}/linear_0", self.scale)
            scores = g.add("MatMul", self.split_heads(g, q, [0, 2, 1, 3]), g.add("Gather", "n_layer_cross_k", at, axis=0))
            weights = g.add("Softmax", scores, axis=-1)
            heads = [head for aligned, head in self.alignment_heads if aligned == layer]
            if heads:
                attention.append(g.add("Gather", weights, g.ints(*heads), axis=1))
            y = self.join_heads(g, g.add("MatMul", weights, g.add("Gather", "n_layer_cross_v", at, axis=0)))
            x = g.add("Add", x, self.project(g, y, f"{part}/linear_2"))
            x = self.feed_forward(g, x, f"decoder/layer_{layer}/ffn")
        # Only the last token's logits are read.
        x = self.norm(g, g.add("Slice", x, g.ints(-1), g.ints(2**31 - 1), g.ints(1)), "decoder/layer_norm")
        columns = g.add("Transpose", table, perm=[1, 0])
        if is_int8:
            quantized, x_scale, zero = g.add("DynamicQuantizeLinear", x, outputs=3)
            product = g.add("Cast", g.add("MatMulInteger", quantized, columns, zero), to=FLOAT)
            g.add("Mul", product, g.add("Mul", x_scale, g.weight(row_scale.reshape(-1))), name="logits")
        else:
            g.add("MatMul", x, columns, name="logits")
        self.stack(g, keys, "out_n_layer_self_k_cache")
        self.stack(g, values, "out_n_layer_self_v_cache")
        g.add("Concat", *attention, axis=1, name="cross_attention_weights")
        inputs = [value("tokens", INT64, ["N", "n"]), *self.caches("in", "C")]
        inputs += [*self.cross_values(), value("offset", INT64, [1])]
        outputs = [value("logits", FLOAT, ["N", 1, len(embeddings)]), *self.caches("out", "C2")]
        outputs.append(value("cross_attention_weights", FLOAT, ["N", len(self.alignment_heads), "n", "A"]))
        g.save(path, inputs, outputs)

    def metadata(self, ids):
        sot, transcribe, untimed = (ids[f"<|{name}|>"] for name in ("startoftranscript", "transcribe", "notimestamps"))
        codes = [code for code in LANGUAGES if f"<|{code}|>" in ids]
        return {
            "model_type": "whisper",
            "version": 1,
            "maintainer": "Awaz",
            "n_mels": self.v["encoder/conv1/weight"].shape[1],
            "n_audio_ctx": len(self.v["encoder/position_encodings/encodings"]),
            "n_audio_state": self.state,
            "n_audio_head": self.heads,
            "n_audio_layer": self.encoder_layers,
            "n_vocab": len(self.v["decoder/embeddings/weight"]),
            "n_text_ctx": len(self.v["decoder/position_encodings/encodings"]),
            "n_text_state": self.state,
            "n_text_head": self.heads,
            "n_text_layer": self.decoder_layers,
            "n_alignment_heads": len(self.alignment_heads),
            "sot_sequence": f"{sot},{sot + 1},{transcribe}",
            "all_language_tokens": ",".join(str(ids[f"<|{code}|>"]) for code in codes),
            "all_language_codes": ",".join(codes),
            "sot": sot,
            "sot_index": 0,
            "eot": ids["<|endoftext|>"],
            "blank_id": ids["Ġ"],
            "is_multilingual": 1,
            "no_speech": untimed - 1,
            "non_speech_tokens": "",
            "transcribe": transcribe,
            "translate": ids["<|translate|>"],
            "sot_prev": ids["<|startofprev|>"],
            "sot_lm": ids["<|startoflm|>"],
            "no_timestamps": untimed,
        }


def save_tokens(path, words):
    """A token's bytes as base64 and its number. The vocabulary has bytes as visible letters (GPT-2's byte-level BPE)."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in visible]
    byte_of = {chr(byte): byte for byte in visible} | {chr(256 + n): byte for n, byte in enumerate(hidden)}
    lines = (f"{base64.b64encode(bytes(byte_of[c] for c in word)).decode()} {n}\n" for n, word in enumerate(words) if word)
    path.write_text("".join(lines))


def quantize(path, out):
    options = {"MatMulConstBOnly": True, "DefaultTensorType": FLOAT}
    quantize_dynamic(
        path, out, op_types_to_quantize=["MatMul"], per_channel=True, weight_type=QuantType.QInt8, extra_options=options
    )


def main(folder, out):
    out.mkdir(parents=True, exist_ok=True)
    words = json.loads((folder / "vocabulary.json").read_text())
    ids = {word: number for number, word in enumerate(words)}
    model = Whisper(folder)
    model.save_encoder(out / "encoder.onnx", model.metadata(ids))
    model.save_decoder(out / "decoder.onnx", is_int8=False)
    quantize(out / "encoder.onnx", out / "encoder.int8.onnx")
    table_only = out / "decoder.table.onnx"
    model.save_decoder(table_only, is_int8=True)
    quantize(table_only, out / "decoder.int8.onnx")
    table_only.unlink()
    save_tokens(out / "tokens.txt", words[: ids["<|endoftext|>"]])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
