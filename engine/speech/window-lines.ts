import { AppError } from '#contract/app-error.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { packWindows, readWindow } from '#engine/audio/windows.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { ChildMethodError } from '#engine/child/child-error.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import type { PlannedWindow } from './channel-plan.ts'
import { decodeWindow } from './decode-window.ts'
import { decodingFor } from './decode-settings.ts'
import { recoverLeftOut } from './left-out-speech.ts'
import { toLines } from './lines.ts'
import { mergeSame } from './repetition.ts'
import type { TranscriptLine } from './transcript-line.ts'
import type { WindowResult } from './window-result.ts'

interface TranscribeLinesOptions {
  decoded: DecodedAudio
  /** RMS of 20 ms frames of the window's channel. */
  frames: Float32Array
  backend: SpeechBackend
  /** Names that are likely to be heard; none by default. */
  prompt?: string
  signal?: AbortSignal
}

/** Transcribes one planned window to lines, and to the gaps that only loops of the decoder filled. Fails as the backend does. */
export async function transcribeLines(
  planned: PlannedWindow,
  options: TranscribeLinesOptions,
): Promise<Pick<WindowResult, 'lines' | 'gaps'>> {
  const { model, window } = planned
  const { frames } = options
  const { lines, loops } = await decodeLines(planned, window, options)
  const gaps = loops.map(({ startMs, endMs }) => ({ startMs, endMs }))
  // A model of one utterance a call has heard each stretch by itself already.
  if (model.oneSpanPerWindow) return { lines, gaps }
  const decodeSpan = async (span: SpeechSpan) => {
    const windows = packWindows([span], { frames, maxWindowMs: model.maxWindowMs, oneSpanPerWindow: false })
    const parts: TranscriptLine[] = []
    for (const part of windows) parts.push(...(await decodeLines(planned, part, options)).lines)
    return parts
  }
  const recovered = await recoverLeftOut(lines, frames, decodeSpan).catch((error: unknown) => {
    // What stands already is not lost because a second look failed.
    if (isWindowFailure(error)) return lines
    throw error
  })
  return { lines: recovered, gaps }
}

/** Whether an error is about one window alone: the engine refused it, or died over it twice. */
export function isWindowFailure(error: unknown): boolean {
  return error instanceof ChildMethodError || (error instanceof AppError && error.code === 'internal')
}

async function decodeLines(
  { channel, model, language }: PlannedWindow,
  window: SpeechWindow,
  { decoded, frames, backend, prompt, signal }: TranscribeLinesOptions,
): Promise<{ lines: TranscriptLine[]; loops: TranscriptLine[] }> {
  const samples = await readWindow(decoded, channel, window)
  const decoding = decodingFor(model, language)
  const { segments, loops } = await decodeWindow(backend, { samples, window }, { language, decoding, prompt, signal })
  // A model of one utterance a call sometimes goes back and writes the same one again: no loop, and nothing to warn of.
  const kept = model.oneSpanPerWindow ? mergeSame(segments) : segments
  return { lines: toLines(kept, window, frames), loops: toLines(loops, window, frames) }
}
