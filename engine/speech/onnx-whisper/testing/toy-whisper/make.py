"""Makes a Whisper model that knows seven words, with the inputs and outputs of the real ones (needs numpy and onnx).

    python make.py

Writes encoder.onnx, decoder.onnx and tokens.txt, and into the folder "sherpa" the same in the layout of sherpa-onnx's export script: heads
joined, caches of fixed length, logits for every token, no attention.

The encoder passes on where there is a tone of an amplitude around 0.5: a low one (such as 440 Hz), or a high one (4 kHz). Each tone is a
segment, from its first to its last position. What it says is a Markov chain, SENTENCES below:

    low, English    " I ran home." is the most probable sentence, but " cat" the most probable word, after which it becomes " cat sat"
                    With "I" in the prompt, " I" is the most probable word.
    low, Persian    " سلام."
    high            " la la la", most probably for ever
    no tone         five improbable words, in Persian the same as for a low tone; and a high probability of no speech

Each token of text has ten positions of tone to itself: the alignment heads attend to those of the next token.
"""

import base64
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
BANDS, LAYERS, CONTEXT, TIMESTAMPS = 80, 2, 448, 1501
# Numbers as in metadata.ts.
TEXT = [" cat", " I", " ran", " ", " sat", " home", ".", "[", " la", " سلام"]
CAT, I, RAN, SPACE, SAT, HOME, STOP, BRACKET, LA, SALAM = range(10)
END, START, ENGLISH, PERSIAN, _TRANSLATE, TRANSCRIBE, PREVIOUS, _MODEL, SILENCE, _UNTIMED = range(10, 20)
# All timestamps are one column of the chain: which one is meant, the audio says.
TIME, SIZE = 20, 21
IMPOSSIBLE = -40
# A tone is at least this loud in one band, after the scaling of the spectrogram: a power of 1.
LOUD = 1
TOKEN_POSITIONS = 10

# What follows a token, with probabilities or, above 1, as what the rules for tokens have to rule out.
AT_ONCE = {TRANSCRIBE: {TIME: 1, END: 5, SPACE: 5, PREVIOUS: 5, BRACKET: 5}, STOP: {TIME: 1}}
TALE = {
    **AT_ONCE,
    START: {ENGLISH: 0.75, PERSIAN: 0.25},
    TIME: {CAT: 0.6, I: 0.4, BRACKET: 5},
    CAT: {SAT: 0.36, RAN: 0.34, LA: 0.3},
    I: {RAN: 1},
    # After I, HOME: see BONUSES.
    RAN: {STOP: 1, HOME: 1e-4},
    SAT: {TIME: 1},
    HOME: {STOP: 1},
    LA: {STOP: 1},
}
GREETING = {**AT_ONCE, TIME: {SALAM: 1}, SALAM: {STOP: 1}}
LOOP = {**AT_ONCE, START: {ENGLISH: 0.1, PERSIAN: 0.9}, TIME: {LA: 1}, LA: {LA: 0.6, STOP: 0.4}}
WORDS = [CAT, RAN, SAT, LA, SALAM, STOP]
NOTHING = {
    **AT_ONCE,
    START: {ENGLISH: 0.5, PERSIAN: 0.5, SILENCE: 20},
    TIME: {**dict.fromkeys(WORDS, 0.11), CAT: 0.15, END: 0.05},
    **{word: {**dict.fromkeys(WORDS, 0.12), after: 0.16} for word, after in zip(WORDS, WORDS[1:])},
}
IMAGINED = {**GREETING, TIME: {SALAM: 0.95, END: 0.05}}
# By kind of tone (none, low, high) and language (English, Persian).
SENTENCES = [[NOTHING, IMAGINED], [TALE, GREETING], [LOOP, LOOP]]
# What a token anywhere in the text so far, prompt included, adds to the scores of others.
BONUSES = {(I, HOME): 20, (I, I): 1}


def chain():
    """Scores of the next token, [kind, language, previous token, next token], all but the last joined."""
    scores = np.full((3, 2, SIZE, SIZE), IMPOSSIBLE, np.float32)
    for kind, languages in enumerate(SENTENCES):
        for language, sentence in enumerate(languages):
            for token, following in sentence.items():
                for after, probability in following.items():
                    scores[kind, language, token, after] = np.log(probability)
    return scores.reshape(-1, SIZE)


class Graph:
    """The nodes and weights of one ONNX graph."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def weight(self, array):
        self.weights.append(numpy_helper.from_array(np.array(array), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def ints(self, *values):
        return self.weight(np.array(values, np.int64))

    def floats(self, *values):
        return self.weight(np.array(values, np.float32))

    def add(self, kind, *inputs, name=None, **attributes):
        name = name or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def cut(self, x, start, end, axis):
        start, end = (self.ints(at) if isinstance(at, int) else at for at in (start, end))
        return self.add("Slice", x, start, end, self.ints(axis))

    def column(self, x, at):
        return self.cut(x, at, at + 1, 1)

    def to_float(self, x):
        return self.add("Cast", x, to=FLOAT)

    def save(self, path, inputs, outputs, metadata=()):
        graph = helper.make_graph(self.nodes, "toy", inputs, outputs, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        for key, value in dict(metadata).items():
            model.metadata_props.add(key=key, value=str(value))
        onnx.checker.check_model(model)
        path.parent.mkdir(exist_ok=True)
        onnx.save(model, path)


def value(name, kind, *shape):
    return helper.make_tensor_value_info(name, kind, shape)


def cross_values(is_sherpa):
    names = ("n_layer_cross_k", "n_layer_cross_v")
    shapes = [("A", 2)] * 2 if is_sherpa else [(1, 2, "A"), (1, "A", 2)]
    return [value(name, FLOAT, LAYERS, "N", *shape) for name, shape in zip(names, shapes)]


def caches(prefix, length):
    return [value(f"{prefix}_n_layer_self_{kind}_cache", FLOAT, LAYERS, "N", length, SIZE) for kind in "kv"]


def save_encoder(path, is_sherpa):
    """A position has two numbers, whether there is a low and a high tone; 1 or 0."""
    g = Graph()
    halves = [g.cut("mel", start, start + BANDS // 2, 1) for start in (0, BANDS // 2)]
    loudest = g.add("Concat", *[g.add("ReduceMax", half, axes=[1]) for half in halves], axis=1)
    pooled = g.add("AveragePool", loudest, kernel_shape=[2], strides=[2])
    tones = g.to_float(g.add("Greater", pooled, g.floats(LOUD)))
    turned = g.add("Transpose", tones, perm=[0, 2, 1])
    # [layers, texts, heads, ...], of which sherpa-onnx joins the heads.
    axes = (0,) if is_sherpa else (0, 2)
    for name, x in (("n_layer_cross_k", turned if is_sherpa else tones), ("n_layer_cross_v", turned)):
        x = g.add("Unsqueeze", x, g.ints(*axes))
        g.add("Concat", *[x] * LAYERS, axis=0, name=name)
    g.save(path, [value("mel", FLOAT, "N", BANDS, "T")], cross_values(is_sherpa), metadata())


def save_decoder(path, is_sherpa):
    g = Graph()
    end = g.add("Add", "offset", g.cut(g.add("Shape", "tokens"), 1, 2, 0))
    classes = g.add("Min", "tokens", g.ints(TIME))
    # The key of a token is which it is, the value its time.
    keys = g.add("Gather", g.weight(np.eye(SIZE, dtype=np.float32)), classes)
    times = g.to_float(g.add("Max", g.add("Sub", "tokens", g.ints(TIME)), g.ints(0)))
    values = g.add("Mul", g.add("Unsqueeze", times, g.ints(2)), g.weight(np.eye(1, SIZE, dtype=np.float32)))
    history, values = (remember(g, kind, new, end, is_sherpa) for kind, new in (("k", keys), ("v", values)))
    counts = g.add("ReduceSum", history, g.ints(1), keepdims=0)
    time = g.column(g.add("ReduceMax", values, axes=[1], keepdims=0), 0)

    tones, turned = (g.add("Gather", f"n_layer_cross_{kind}", g.weight(np.int64(1)), axis=0) for kind in "kv")
    if is_sherpa:
        tones = g.add("Transpose", tones, perm=[0, 2, 1])
    else:
        tones, turned = (g.add("Squeeze", x, g.ints(1)) for x in (tones, turned))
    loud = g.add("ReduceMax", tones, axes=[1], keepdims=0)
    if is_sherpa:
        # As many audios as texts: a Concat, unlike the operators below, does not repeat one for all.
        loud = g.cut(g.add("Concat", loud, time, axis=1), 0, -1, 1)
    length = g.add("Gather", g.add("Shape", loud), g.weight(np.int64(1)), axis=0)
    positions = g.to_float(g.add("Range", g.weight(np.int64(0)), length, g.weight(np.int64(1))))

    # A segment begins with the next tone and ends with the next silence.
    ahead = g.add("Mul", loud, g.to_float(g.add("GreaterOrEqual", positions, time)))
    start = g.to_float(g.add("ArgMax", ahead, axis=1))
    has_tone = g.add("ReduceMax", ahead, axes=[1])
    quiet = g.add("Mul", g.add("Sub", g.floats(1), loud), g.to_float(g.add("Greater", positions, time)))
    always = g.add("Add", g.add("Mul", time, g.floats(0)), g.floats(1))
    stop = g.to_float(g.add("ArgMax", g.add("Concat", quiet, always, axis=1), axis=1))
    is_open = g.add("Mod", g.column(counts, TIME), g.floats(2), fmod=1)
    meant = g.add("Where", g.add("Greater", is_open, g.floats(0.5)), stop, start)

    at_start = g.add("Unsqueeze", g.to_float(g.add("Equal", positions, start)), g.ints(1))
    is_high = g.column(g.add("Squeeze", g.add("MatMul", at_start, turned), g.ints(1)), 1)
    kind = g.add("Mul", has_tone, g.add("Add", is_high, g.floats(1)))
    language = g.add("Min", g.column(counts, PERSIAN), g.floats(1))
    sentence = g.add("Add", g.add("Mul", kind, g.floats(2)), language)
    last = g.to_float(g.cut(classes, -1, 2**31 - 1, 1))
    row = g.add("Cast", g.add("Add", g.add("Mul", sentence, g.floats(SIZE)), last), to=INT64)
    scores = g.add("Gather", g.weight(chain()), g.add("Squeeze", row, g.ints(1)))
    bonus = np.zeros((SIZE, SIZE), np.float32)
    for tokens, score in BONUSES.items():
        bonus[tokens] = score
    scores = g.add("Add", scores, g.add("MatMul", g.add("Min", counts, g.floats(1)), g.weight(bonus)))
    distances = g.add("Abs", g.add("Sub", g.weight(np.arange(TIMESTAMPS, dtype=np.float32)), meant))
    timestamps = g.add("Sub", g.column(scores, TIME), g.add("Mul", distances, g.floats(20)))
    logits = g.add("Concat", g.cut(scores, 0, TIME, 1), timestamps, axis=1)

    outputs = [*caches("out", CONTEXT if is_sherpa else "C2")]
    if is_sherpa:
        # Those of the tokens before the last are 0.
        zeros = g.to_float(g.add("Mul", g.cut("tokens", 0, -1, 1), g.ints(0)))
        is_last = g.add("Concat", zeros, always, axis=1)
        g.add("Mul", g.add("Unsqueeze", is_last, g.ints(2)), g.add("Unsqueeze", logits, g.ints(1)), name="logits")
    else:
        g.add("Unsqueeze", logits, g.ints(1), name="logits")
        attend(g, history, end, loud)
        outputs.append(value("cross_attention_weights", FLOAT, "N", 2, "n", "A"))
    inputs = [value("tokens", INT64, "N", "n"), *caches("in", CONTEXT if is_sherpa else "C")]
    inputs += [*cross_values(is_sherpa), value("offset", INT64, 1)]
    g.save(path, inputs, [value("logits", FLOAT, "N", "n" if is_sherpa else 1, TIME + TIMESTAMPS), *outputs])


def remember(g, kind, new, end, is_sherpa):
    """Adds the new tokens to a cache, in every layer. Returns all tokens so far, [texts, tokens, SIZE]: the mean of the layers."""
    cache = f"in_n_layer_self_{kind}_cache"
    added = g.add("Concat", *[g.add("Unsqueeze", new, g.ints(0))] * LAYERS, axis=0)
    parts = [g.cut(cache, 0, "offset", 2), added]
    if is_sherpa:
        parts.append(g.cut(cache, end, CONTEXT, 2))
    out = g.add("Concat", *parts, axis=2, name=f"out_n_layer_self_{kind}_cache")
    return g.add("ReduceMean", g.cut(out, 0, end, 2), axes=[0], keepdims=0)


def attend(g, history, end, loud):
    """After the token of text number n, the heads attend to the positions of tone that belong to number n + 1."""
    is_text = g.add("ReduceSum", g.cut(history, 0, END, 2), g.ints(2), keepdims=0)
    number = g.cut(g.add("CumSum", is_text, g.weight(np.int64(1))), "offset", end, 1)
    before = g.add("Sub", g.add("CumSum", loud, g.weight(np.int64(1))), g.floats(1))
    block = g.add("Floor", g.add("Div", before, g.floats(TOKEN_POSITIONS)))
    distance = g.add("Abs", g.add("Sub", g.add("Unsqueeze", block, g.ints(1)), g.add("Unsqueeze", number, g.ints(2))))
    silence = g.add("Unsqueeze", g.add("Sub", loud, g.floats(1)), g.ints(1))
    scores = g.add("Sub", g.add("Mul", silence, g.floats(40)), g.add("Mul", distance, g.floats(10)))
    weights = g.add("Unsqueeze", g.add("Softmax", scores, axis=-1), g.ints(1))
    g.add("Concat", weights, weights, axis=1, name="cross_attention_weights")


def metadata():
    return {
        "model_type": "whisper-toy",
        "n_mels": BANDS,
        "n_text_layer": LAYERS,
        "n_text_state": SIZE,
        "n_text_ctx": CONTEXT,
        "is_multilingual": 1,
        "all_language_codes": "en,fa",
        "all_language_tokens": "12,13",
        "blank_id": SPACE,
        "eot": END,
        "sot": START,
        "translate": 14,
        "transcribe": TRANSCRIBE,
        "sot_prev": PREVIOUS,
        "sot_lm": 17,
        "no_speech": SILENCE,
        "no_timestamps": 19,
    }


if __name__ == "__main__":
    folder = Path(__file__).parent
    tokens = [f"{base64.b64encode(text.encode()).decode()} {token}\n" for token, text in enumerate(TEXT)]
    for part, is_sherpa in ((folder, False), (folder / "sherpa", True)):
        save_encoder(part / "encoder.onnx", is_sherpa)
        save_decoder(part / "decoder.onnx", is_sherpa)
        (part / "tokens.txt").write_text("".join(tokens))
