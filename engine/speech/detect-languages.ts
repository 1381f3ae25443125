import { AppError } from '#contract/app-error.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { readWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { CutWindow } from './channel-plan.ts'
import { mapInOrder } from './map-in-order.ts'
import type { PlanContext } from './plan-context.ts'
import type { LanguageEvidence } from './rank-languages.ts'

/**
 * Detects the language of each window, in the order of the windows.
 *
 * @throws AppError `unsupported_language` if the model cannot detect languages
 */
export async function detectLanguages(
  windows: CutWindow[],
  { decoded, backends, model, signal }: PlanContext,
): Promise<LanguageEvidence[]> {
  if (windows.length === 0) return []
  const { capabilities } = await backends.use(model, { signal })
  if (!capabilities.hasLanguageDetection) throw noLanguageDetectionError(model)
  const limit = capabilities.parallelWindows ?? 1
  const outcomes = mapInOrder(windows, { limit, signal }, async ({ channel, window }, windowSignal) => {
    const backend = await backends.use(model, { signal: windowSignal })
    return backend.detectLanguages(await readWindow(decoded, channel, window), { signal: windowSignal })
  })
  const evidence: LanguageEvidence[] = []
  for await (const { item, settled } of outcomes) {
    if (settled.status === 'rejected') throw settled.reason
    evidence.push({ probabilities: settled.value, durationMs: item.window.durationMs })
  }
  return evidence
}

function noLanguageDetectionError(model: SpeechModel): AppError {
  return new AppError('unsupported_language', `The speech model ${model.name} cannot detect the spoken language.`, {
    help: 'Choose the language of the recording.',
  })
}

/** Returns the span from the start of a window's first speech to the end of its last. */
export function spanOf({ pieces }: CutWindow['window']): SpeechSpan {
  return { startMs: pieces[0]?.speechStartMs ?? 0, endMs: pieces.at(-1)?.speechEndMs ?? 0 }
}
