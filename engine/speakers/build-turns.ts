import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { dot } from './average-linkage.ts'
import type { SpeakerTurn } from './speaker-turns.ts'
import type { VoiceWindow } from './voice-window.ts'

const stepMs = 20
/** Shorter turns are merged into an adjacent turn. */
const minTurnMs = 300

/**
 * Assigns every moment of the spans to a voice, based on the windows around it weighted by distance. Windows and spans are in order. A
 * span without a window belongs to the preceding voice.
 */
export function buildTurns(
  spans: readonly SpeechSpan[],
  windows: readonly VoiceWindow[],
  voices: readonly Float32Array[],
): SpeakerTurn[] {
  const scored = windows.map(({ startMs, endMs, embedding }) => ({
    startMs,
    endMs,
    scores: voices.map((voice) => dot(embedding, voice)),
  }))
  let [first, previous] = [0, 0]
  return spans.flatMap((span) => {
    while ((scored[first]?.endMs ?? Number.POSITIVE_INFINITY) <= span.startMs) first += 1
    const own: ScoredWindow[] = []
    for (let at = first; (scored[at]?.startMs ?? span.endMs) < span.endMs; at += 1) {
      const window = scored[at]
      if (window) own.push(window)
    }
    const turns = mergeShortTurns(splitSpan(span, own, voices.length, previous))
    previous = turns.at(-1)?.voice ?? previous
    return turns
  })
}

interface ScoredWindow extends SpeechSpan {
  scores: number[]
}

function splitSpan(span: SpeechSpan, windows: ScoredWindow[], voiceCount: number, fallback: number): SpeakerTurn[] {
  const turns: SpeakerTurn[] = []
  for (let startMs = span.startMs; startMs < span.endMs; startMs += stepMs) {
    const endMs = Math.min(span.endMs, startMs + stepMs)
    const last = turns.at(-1)
    const voice = voiceAt((startMs + endMs) / 2, windows, voiceCount) ?? last?.voice ?? fallback
    if (last?.voice === voice) last.endMs = endMs
    else turns.push({ startMs, endMs, voice })
  }
  return turns
}

function voiceAt(ms: number, windows: ScoredWindow[], voiceCount: number): number | undefined {
  const sums = Array.from({ length: voiceCount }, () => 0)
  let isCovered = false
  for (const { startMs, endMs, scores } of windows) {
    const weight = Math.min(ms - startMs, endMs - ms)
    if (weight <= 0) continue
    isCovered = true
    for (let voice = 0; voice < voiceCount; voice += 1) sums[voice] = (sums[voice] ?? 0) + weight * (scores[voice] ?? 0)
  }
  return isCovered ? sums.indexOf(Math.max(...sums)) : undefined
}

/** Merges turns that are too short into the preceding or the following turn. */
function mergeShortTurns(turns: SpeakerTurn[]): SpeakerTurn[] {
  const kept: SpeakerTurn[] = []
  let startMs = turns[0]?.startMs ?? 0
  for (const turn of turns) {
    const last = kept.at(-1)
    const isShort = turn.endMs - turn.startMs < minTurnMs && turns.length > 1
    if (last && (isShort || last.voice === turn.voice)) last.endMs = turn.endMs
    else if (!isShort) kept.push({ ...turn, startMs })
    if (kept.length > 0) startMs = turn.endMs
  }
  return kept.length > 0
    ? kept
    : turns.slice(0, 1).map((turn) => ({ ...turn, endMs: turns.at(-1)?.endMs ?? turn.endMs }))
}
