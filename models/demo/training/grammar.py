"""Parallel sentences of the closed grammar (grammar.json): English, Pashto, Urdu, Persian, Arabic.

    import grammar
    for s in grammar.all_sentences(): ...        # every sentence once, in a fixed order
    for s in grammar.sample(1000, seed=1): ...   # random, template weights respected

A sentence is {"id", "template", "slots", "en", "ps", "ur", "fa", "ar"}; its texts are plain words with single blanks.
split(s) is 'train' or 'test': a fixed hash of the id holds about one sentence in ten back from training.
Run as a script, this prints the size of the vocabulary and checks that nothing in the test part is unlearnable.
"""
import functools
import itertools
import json
import os
import random
import re
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "grammar.json"), encoding="utf-8") as f:
    G = json.load(f)
LANGS = G["languages"]

# A word must stand in this many training sentences before a sentence that needs it may be held back.
MIN_TRAIN_SENTENCES = 2


def _form(value, lang, form):
    v = value[lang]
    return v.get(form or "_", v["_"]) if isinstance(v, dict) else v


def render(template, chosen):
    """One sentence. chosen: slot name -> slot value, or None for an optional slot left empty."""
    slots = {k: (chosen[k]["id"] if chosen[k] else None) for k in template["slots"]}
    out = {"id": template["id"] + ":" + ",".join(v or "-" for v in slots.values()), "template": template["id"], "slots": slots}
    for lang in LANGS:
        def fill(m):
            v = chosen[m.group(1)]
            return "" if v is None else _form(v, lang, m.group(3))
        out[lang] = " ".join(re.sub(r"\{(\w+)(\.(\w+))?\}", fill, template[lang]).split())
    return out


def choices(template, name):
    """The values a slot of a template may take; None where the slot is optional."""
    values = list(G["slots"][template["slots"][name]])
    return [None] + values if name in template.get("optional", []) else values


def all_sentences(digits4=False):
    """Every sentence once. The 14,641 strings of four digits only on request."""
    for t in G["templates"]:
        if t["id"] == "digits4" and not digits4:
            continue
        for combo in itertools.product(*[choices(t, n) for n in t["slots"]]):
            yield render(t, dict(zip(t["slots"], combo)))


def _hash_holds_back(s):
    return zlib.crc32(s["id"].encode()) % 10 == 0


@functools.lru_cache(None)
def _taught():
    """language -> words that stand in enough sentences which the hash leaves to training"""
    counts = {lang: {} for lang in LANGS}
    for s in all_sentences():
        if not _hash_holds_back(s):
            for lang in LANGS:
                for w in set(s[lang].split()):
                    counts[lang][w] = counts[lang].get(w, 0) + 1
    return {lang: {w for w, n in c.items() if n >= MIN_TRAIN_SENTENCES} for lang, c in counts.items()}


def split(s):
    """'test' for sentences held back from training: the hash says so, and every word of theirs is taught by others."""
    taught = _taught()
    held = _hash_holds_back(s) and all(w in taught[lang] for lang in LANGS for w in s[lang].split())
    return "test" if held else "train"


def is_digits(s):
    return s["template"].startswith("digits") or s["template"] == "number"


def sample(n=None, seed=0, part=None, digit_share=None):
    """n (or endless) random sentences. part: None, 'train' or 'test'.
    digit_share: chance of a digit string, where that shall differ from the template weights."""
    rng = random.Random(seed)
    templates = {kind: [t for t in G["templates"] if is_digits({"template": t["id"]}) == kind] for kind in (True, False)}
    count = 0
    while n is None or count < n:
        if digit_share is None:
            pool = G["templates"]
        else:
            pool = templates[rng.random() < digit_share]
        t = rng.choices(pool, [t["weight"] for t in pool])[0]
        s = render(t, {name: rng.choice(choices(t, name)) for name in t["slots"]})
        if part and split(s) != part:
            continue
        count += 1
        yield s


@functools.lru_cache(None)
def vocabulary():
    """language -> word -> number of sentences' occurrences"""
    words = {lang: {} for lang in LANGS}
    for s in all_sentences():
        for lang in LANGS:
            for w in s[lang].split():
                words[lang][w] = words[lang].get(w, 0) + 1
    return words


def say(word, lang):
    """The spelling the speech synthesiser is given for a written word."""
    return G["say"].get(lang, {}).get(word, word)


def main():
    sentences = list(all_sentences())
    held = [s for s in sentences if split(s) == "test"]
    print(len(sentences), "sentences,", len(held), "held back; words:", {lang: len(v) for lang, v in vocabulary().items()})
    for lang, table in G["say"].items():
        missing = sorted(set(vocabulary()[lang]) - set(table))
        assert not missing, f"no respelling for {lang}: {missing}"
    trained = {lang: {w for s in sentences if split(s) == "train" for w in s[lang].split()} for lang in LANGS}
    for lang in LANGS:
        assert trained[lang] == set(vocabulary()[lang]), lang


if __name__ == "__main__":
    main()
