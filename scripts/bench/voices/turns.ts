import { z } from 'zod'
import type { VoiceStretch } from './diarization-error.ts'

export interface Span {
  startMs: number
  endMs: number
}

/** Fields of an RTTM line (NIST): type, file, channel, start and length in seconds; the eighth is the speaker. */
const SpeakerLine = z.tuple(
  [z.literal('SPEAKER'), z.string(), z.string(), z.coerce.number(), z.coerce.number()],
  z.string(),
)

/** Returns who speaks when in each recording, from the text of an RTTM file. */
export function readVoices(rttm: string): Map<string, VoiceStretch[]> {
  const byFile = new Map<string, VoiceStretch[]>()
  for (const line of rttm.split('\n').filter((line) => line.trim() !== '')) {
    const [, file, , start, length, , , voice = ''] = SpeakerLine.parse(line.trim().split(/\s+/u))
    const stretches = byFile.get(file) ?? []
    byFile.set(file, [...stretches, { startMs: start * 1000, endMs: (start + length) * 1000, voice }])
  }
  return byFile
}

/** Returns when anybody speaks in each recording, from the text of an RTTM file; overlapping turns form one span. */
export function readTurns(rttm: string): Map<string, Span[]> {
  return new Map(
    [...readVoices(rttm)].map(([file, voices]) => [
      file,
      joinSpans(voices.map(({ startMs, endMs }) => ({ startMs, endMs }))),
    ]),
  )
}

/** Returns the spans in order, joining those that touch or overlap. */
export function joinSpans(spans: Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1)
    if (last && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs)
    else joined.push({ ...span })
  }
  return joined
}

/** Milliseconds outside the collars. */
export interface DetectionScore {
  speechMs: number
  pauseMs: number
  missedMs: number
  falseMs: number
}

const stepMs = 10

/**
 * Compares detected speech with the reference in steps of 10 ms. Time within `collarMs` of a reference boundary does not count, because
 * annotators do not agree on boundaries more closely than that.
 */
export function scoreDetection(
  detected: readonly Span[],
  { reference, durationMs, collarMs }: { reference: readonly Span[]; durationMs: number; collarMs: number },
): DetectionScore {
  const score = { speechMs: 0, pauseMs: 0, missedMs: 0, falseMs: 0 }
  const edges = reference.flatMap(({ startMs, endMs }) => [startMs, endMs])
  const holds = (spans: readonly Span[], ms: number) => spans.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)
  for (let ms = stepMs / 2; ms < durationMs; ms += stepMs) {
    if (edges.some((edge) => Math.abs(edge - ms) < collarMs)) continue
    const [isSpeech, isDetected] = [holds(reference, ms), holds(detected, ms)]
    score[isSpeech ? 'speechMs' : 'pauseMs'] += stepMs
    if (isSpeech && !isDetected) score.missedMs += stepMs
    if (!isSpeech && isDetected) score.falseMs += stepMs
  }
  return score
}
