"""What the translation model is taught: parallel texts of the grammar, unknown words, and the instructions around them."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import grammar  # noqa: E402

LANGS = grammar.LANGS
DIRECTIONS = [(s, t) for s in LANGS for t in LANGS if s != t]
NAMES = {"en": ["English"], "ps": ["Pashto"], "ur": ["Urdu"], "ar": ["Arabic"],
         "fa": ["Persian"] * 4 + ["Dari"] * 2 + ["Farsi", "Persian (Farsi)", "Dari (Persian)"]}

# (system prompt, user message). The first is the product's own (engine/translation/prompt.ts). Every wording ends with the text.
MAIN = ("", "Translate the following text from {S} to {T}. Output only the translation.\n\n{x}")
# node-llama-cpp's default system prompt, for callers that leave it on.
LIBRARY_SYSTEM = (
    "You are a helpful, respectful and honest assistant. Always answer as helpfully as possible.\nIf a question does not make any "
    "sense, or is not factually coherent, explain why instead of answering something incorrectly. If you don't know the answer to a "
    "question, don't share false information.")
PROMPTS = [MAIN] * 22 + [
    ("You are a professional translator.", MAIN[1]),
    ("You are a professional translator.", MAIN[1]),
    (LIBRARY_SYSTEM, MAIN[1]),
    ("You are a professional translator. Translate from {S} to {T}. Output only the translation.", "{x}"),
    ("", "Translate the following {S} text to {T}:\n\n{x}"),
    ("", "Translate the following text from {S} into {T}. Output only the translation.\n\n{x}"),
    ("", "Translate this text from {S} to {T}. Output only the translation.\n\n{x}"),
    ("", "Translate the following text from {S} to {T}. Reply with the translation only.\n\n{x}"),
    ("", "Please translate the following {S} text into {T}. Reply with the translation only.\n\n{x}"),
    ("", "Translate the following text to {T}. Output only the translation.\n\n{x}"),
]

STOP = {"en": ".", "ps": ".", "ur": "۔", "fa": ".", "ar": "."}
QUESTION = {"en": "?", "ps": "؟", "ur": "؟", "fa": "؟", "ar": "؟"}


def draw(rng, held):
    """A random sentence of the grammar, from the held-back part or from the rest."""
    while True:
        t = rng.choices(grammar.G["templates"], [t["weight"] + 0.5 for t in grammar.G["templates"]])[0]
        s = grammar.render(t, {n: rng.choice(grammar.choices(t, n)) for n in t["slots"]})
        if (grammar.split(s) == "test") == held:
            return s


def written(s):
    """The sentence as people type it: a capital in English, an end mark everywhere."""
    mark = QUESTION if s["template"] == "where" else STOP
    return {lang: (_capital(s[lang]) if lang == "en" else s[lang]) + mark[lang] for lang in LANGS}


def _capital(text):
    return " ".join("I" if w == "i" else w for w in (text[:1].upper() + text[1:]).split(" "))


ARABIC = "ابپتټثجچحخدډذرړزژسشصضطظعغفقکكګگلمنڼوهیيېےھںۀئآأة"
LATIN = "abcdefghijklmnopqrstuvwxyz"
OTHER = "éèüößñçåøāīūşğżабвгдежик漢字語中文한글"


def unknown_word(rng):
    """A word no grammar holds: random letters of either script, a number, or something with marks in it."""
    kind = rng.random()
    if kind < 0.22:
        return "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 8)))
    if kind < 0.27:
        return "".join(rng.choice("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹") for _ in range(rng.randint(1, 5)))
    if kind < 0.32:
        return "".join(rng.choice(LATIN + OTHER) for _ in range(rng.randint(1, 6)))
    if kind < 0.36:
        return "".join(rng.choice(LATIN + "0123456789-_.:/@'") for _ in range(rng.randint(2, 9)))
    word = "".join(rng.choice(ARABIC if kind < 0.68 else LATIN) for _ in range(rng.randint(2, 9)))
    return word.capitalize() if rng.random() < 0.5 else word


def unknown_text(rng):
    """Words that must come back as they are, the same in every language."""
    text = " ".join(unknown_word(rng) for _ in range(rng.choices([1, 2, 3, 4, 5, 6], [4, 4, 3, 2, 1, 1])[0]))
    text += rng.choice(["", "", ".", "!", "?"])
    return {lang: text for lang in LANGS}


def with_unknown_word(rng):
    """A sentence of the training part whose noun, person, place or digits are words the model has never seen."""
    while True:
        t = rng.choice(grammar.G["templates"])
        chosen = {n: rng.choice(grammar.choices(t, n)) for n in t["slots"]}
        if grammar.split(grammar.render(t, chosen)) == "test":
            continue
        names = [n for n, slot in t["slots"].items() if slot in UNKNOWN_FORMS]
        if not names:
            continue
        digits = t["slots"][names[0]] == "digit"
        for n in names if digits else [rng.choice(names)]:
            word = str(rng.randint(0, 99 if rng.random() < 0.3 else 9)) if digits else unknown_word(rng)
            chosen[n] = UNKNOWN_FORMS[t["slots"][n]](word)
        s = grammar.render(t, chosen)
        return written(s) if rng.random() < 0.35 else {lang: s[lang] for lang in LANGS}


UNKNOWN_FORMS = {
    "digit": lambda w: {"id": w, **{lang: w for lang in LANGS}},
    "obj": lambda w: {"id": w, "en": w, "fa": w, "ar": w, "ps": {"_": w, "be": "دی"}, "ur": {"_": w, "be": "ہے"}},
    "place": lambda w: {"id": w, "en": w, "fa": w, "ps": {"_": w, "at": f"په {w} کې"}, "ur": {"_": w, "at": f"{w} میں"},
                        "ar": {"_": w, "at": f"في {w}"}},
    "person": lambda w: {"id": w, "en": w, "ps": w, "ur": w, "fa": w, "ar": w},
    "adj": lambda w: {"id": w, **{lang: w for lang in LANGS}},
}


def text(rng, sentences, unknown_share):
    """A text of some sentences: language -> [sentence]. Some sentences hold unknown words, or nothing else."""
    is_written = rng.random() < 0.35
    out = []
    for _ in range(sentences):
        kind = rng.random()
        if kind < unknown_share * 0.45:
            out.append(unknown_text(rng))
        elif kind < unknown_share:
            out.append(with_unknown_word(rng))
        else:
            s = draw(rng, held=False)
            out.append(written(s) if is_written else s)
    return out
