import { AppError } from '#contract/app-error.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { packWindows, readWindow } from '#engine/audio/windows.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { ChildMethodError } from '#engine/child/child-error.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import type { PlannedWindow } from './channel-plan.ts'
import { lettersOf } from './compare-letters.ts'
import { recognizeWindow } from './recognize-window.ts'
import { decodingFor } from './decode-settings.ts'
import { recoverOmittedSpeech } from './omitted-speech.ts'
import { toLines } from './lines.ts'
import { findUncovered, isImpossibleLine, transcribeUncovered } from './uncovered-speech.ts'
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
  /** Words to look for where the text has other words that sound alike; none by default. */
  keywords?: readonly string[]
  signal?: AbortSignal
}

/**
 * Transcribes one planned window: speech of more than 0.7 s is in a line or in one of the lists of what was not understood, and every line
 * is long enough to be said in its time. Throws as the backend does.
 */
export async function transcribeLines(
  planned: PlannedWindow,
  options: TranscribeLinesOptions,
): Promise<Pick<WindowResult, 'lines' | 'gaps' | 'notUnderstood' | 'impossible'>> {
  const { model, window } = planned
  const { lines: all, loops } = await recognizeLines(planned, window, options)
  const gaps = loops.map(({ startMs, endMs }) => ({ startMs, endMs }))
  const possible = all.filter((line) => !isImpossibleLine(line))
  // A model that takes one utterance per call has already transcribed each span by itself, and a window without any words is not speech.
  const isWhole = model.oneSpanPerWindow || all.length + loops.length === 0
  const lines = isWhole ? possible : await completeLines(possible, gaps, planned, options)
  return {
    lines,
    gaps,
    notUnderstood: findUncovered(window, [...lines, ...gaps]),
    impossible: listImpossible(all, lines),
  }
}

/** Transcribes separately what the model left out of a window. If this fails, the existing lines are kept. */
async function completeLines(
  lines: TranscriptLine[],
  gaps: readonly SpeechSpan[],
  planned: PlannedWindow,
  options: TranscribeLinesOptions,
): Promise<TranscriptLine[]> {
  const { frames } = options
  const recognizeSpan = async (span: SpeechSpan, bounds?: SpeechSpan) => {
    const { maxWindowMs } = planned.model
    const windows = packWindows([span], { frames, maxWindowMs, oneSpanPerWindow: false, ...(bounds && { bounds }) })
    const parts: TranscriptLine[] = []
    for (const part of windows) parts.push(...(await recognizeLines(planned, part, options)).lines)
    return parts
  }
  const instead = (kept: TranscriptLine[]) => (error: unknown) => {
    if (isWindowFailure(error)) return kept
    throw error
  }
  const completed = await transcribeUncovered(lines, {
    window: planned.window,
    gaps,
    decodeSpan: (span, bounds) => recognizeSpan(span, bounds).catch(instead([])),
  })
  const recovered = await recoverOmittedSpeech(completed, frames, recognizeSpan).catch(instead(completed))
  return recovered.filter((line) => !isImpossibleLine(line))
}

/** Returns the text that is left out; text that another line contains is not missing. */
function listImpossible(all: readonly TranscriptLine[], lines: readonly TranscriptLine[]): WindowResult['impossible'] {
  const said = lettersOf(lines.map(({ text }) => text).join(' '))
  return all
    .filter((line) => isImpossibleLine(line) && !said.includes(lettersOf(line.text)))
    .map(({ startMs, endMs, text }) => ({ startMs, endMs, text }))
}

/** Recognizes a whole window again with another prompt. Returns no lines if the engine takes no prompt, or fails. */
export async function recognizeAgain(
  planned: PlannedWindow,
  options: TranscribeLinesOptions,
): Promise<readonly TranscriptLine[]> {
  if (!options.backend.capabilities.hasPrompt) return []
  try {
    return (await recognizeLines(planned, planned.window, { ...options, isSingleAttempt: true })).lines
  } catch (error) {
    if (isWindowFailure(error)) return []
    throw error
  }
}

/** Whether an error concerns only a single window, which the engine rejected or on which it crashed twice. */
export function isWindowFailure(error: unknown): boolean {
  return error instanceof ChildMethodError || (error instanceof AppError && error.code === 'internal')
}

async function recognizeLines(
  { channel, model, language }: PlannedWindow,
  window: SpeechWindow,
  {
    decoded,
    frames,
    backend,
    prompt,
    keywords,
    isSingleAttempt,
    signal,
  }: TranscribeLinesOptions & { isSingleAttempt?: boolean },
): Promise<{ lines: TranscriptLine[]; loops: TranscriptLine[] }> {
  const samples = await readWindow(decoded, channel, window)
  const decoding = decodingFor(model, language)
  const { segments, loops } = await recognizeWindow(
    backend,
    { samples, window },
    { language, decoding, prompt, keywords, isSingleAttempt, signal },
  )
  // A model that takes one utterance per call sometimes writes it twice, which is not a loop and needs no warning.
  const kept = model.oneSpanPerWindow ? mergeRepeated(segments) : segments
  return { lines: toLines(kept, window, frames), loops: toLines(loops, window, frames) }
}
