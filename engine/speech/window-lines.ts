import { AppError } from '#contract/app-error.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { packWindows, readWindow } from '#engine/audio/windows.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { ChildMethodError } from '#engine/child/child-error.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import type { PlannedWindow } from './channel-plan.ts'
import { recognizeWindow } from './recognize-window.ts'
import { decodingFor } from './decode-settings.ts'
import { recoverOmittedSpeech } from './omitted-speech.ts'
import { toLines } from './lines.ts'
import { findUncovered, isImpossible, transcribeUncovered } from './uncovered-speech.ts'
import { mergeRepeated } from './repetition.ts'
import type { TranscriptLine } from './transcript-line.ts'
import type { WindowResult } from './window-result.ts'

interface TranscribeLinesOptions {
  decoded: DecodedAudio
  /** RMS of 20 ms frames of the window's channel. */
  frames: Float32Array
  backend: SpeechBackend
  /** Names that are likely to occur; none by default. */
  prompt?: string
  signal?: AbortSignal
}

/**
 * Transcribes one planned window: every second of its speech is in a line or in one of the lists of what was not understood, and every line
 * has the time to be said. Throws as the backend does.
 */
export async function transcribeLines(
  planned: PlannedWindow,
  options: TranscribeLinesOptions,
): Promise<Pick<WindowResult, 'lines' | 'gaps' | 'unheard' | 'impossible'>> {
  const { window } = planned
  const { lines: all, loops } = await recognizeLines(planned, window, options)
  const gaps = loops.map(({ startMs, endMs }) => ({ startMs, endMs }))
  const impossible = all.filter(isImpossible)
  const possible = all.filter((line) => !isImpossible(line))
  const lines = await completeLines(possible, planned, options)
  const unheard = findUncovered(window, [...lines, ...gaps])
  return { lines, gaps, unheard, impossible: impossible.map(({ startMs, endMs, text }) => ({ startMs, endMs, text })) }
}

/** Transcribes what the model left out of a window on its own. The existing lines are kept if that fails. */
async function completeLines(
  lines: TranscriptLine[],
  planned: PlannedWindow,
  options: TranscribeLinesOptions,
): Promise<TranscriptLine[]> {
  const { model, window } = planned
  const { frames } = options
  // A model of one utterance per call has already transcribed each span on its own, and a window without any word is no speech.
  if (model.oneSpanPerWindow || lines.length === 0) return lines
  const recognizeSpan = async (span: SpeechSpan) => {
    const windows = packWindows([span], { frames, maxWindowMs: model.maxWindowMs, oneSpanPerWindow: false })
    const parts: TranscriptLine[] = []
    for (const part of windows) parts.push(...(await recognizeLines(planned, part, options)).lines)
    return parts
  }
  try {
    const completed = await transcribeUncovered(lines, window, recognizeSpan)
    return await recoverOmittedSpeech(completed, frames, recognizeSpan)
  } catch (error) {
    if (isWindowFailure(error)) return lines
    throw error
  }
}

/** Whether an error concerns a single window: the engine rejected it, or crashed twice on it. */
export function isWindowFailure(error: unknown): boolean {
  return error instanceof ChildMethodError || (error instanceof AppError && error.code === 'internal')
}

async function recognizeLines(
  { channel, model, language }: PlannedWindow,
  window: SpeechWindow,
  { decoded, frames, backend, prompt, signal }: TranscribeLinesOptions,
): Promise<{ lines: TranscriptLine[]; loops: TranscriptLine[] }> {
  const samples = await readWindow(decoded, channel, window)
  const decoding = decodingFor(model, language)
  const { segments, loops } = await recognizeWindow(
    backend,
    { samples, window },
    { language, decoding, prompt, signal },
  )
  // A model of one utterance per call sometimes writes the same one twice, which is not a loop and needs no warning.
  const kept = model.oneSpanPerWindow ? mergeRepeated(segments) : segments
  return { lines: toLines(kept, window, frames), loops: toLines(loops, window, frames) }
}
