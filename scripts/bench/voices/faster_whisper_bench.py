"""Transcribes with faster-whisper for `npm run bench -- voices --against PYTHON`: one JSON task a line in, one JSON answer a line out."""

import json
import resource
import sys

from faster_whisper import WhisperModel
from faster_whisper.audio import decode_audio


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def transcribe(model: WhisperModel, task: dict) -> dict:
    before = cpu_seconds()
    samples = decode_audio(task["path"])
    segments, info = model.transcribe(
        samples, language=task["language"], beam_size=5, vad_filter=task["has_detector"]
    )
    # Segments are made while they are asked for.
    heard = [{"start": segment.start, "end": segment.end, "text": segment.text} for segment in segments]
    return {
        "segments": heard,
        "language": info.language,
        "seconds": len(samples) / 16_000,
        "cpuS": cpu_seconds() - before,
        "peakBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def main() -> None:
    model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)
    for line in sys.stdin:
        print(json.dumps(transcribe(model, json.loads(line))), flush=True)


main()
