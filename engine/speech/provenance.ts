import type { ModelProvenance } from '#contract/provenance.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { SpeechBackend, TranscribedWindow } from './backend/speech-backend.ts'
import type { ChannelPlan, PlannedWindow } from './channel-plan.ts'
import { decodingFor } from './decode-settings.ts'
import type { WindowResult } from './window-result.ts'
import { describeWordList, type UsedWordList } from './word-lists/used-word-list.ts'

/** Wraps a backend so that the engine or the server of each call is added to `engines`. */
export function recordEngines(backend: SpeechBackend, engines: Set<string>): SpeechBackend {
  return {
    capabilities: backend.capabilities,
    async transcribe(samples, options): Promise<TranscribedWindow> {
      const transcribed = await backend.transcribe(samples, options)
      engines.add(transcribed.server ?? backend.capabilities.engine)
      return transcribed
    },
    detectLanguages: (samples, options) => backend.detectLanguages(samples, options),
    cpuMs: () => backend.cpuMs(),
    close: () => backend.close(),
  }
}

interface ProvenanceInputs {
  results: Iterable<Pick<WindowResult, 'key' | 'engines'>>
  /** Names that were used as prompt. */
  names?: string[]
  /** Word lists by which lines were corrected. */
  wordLists?: readonly UsedWordList[]
}

/** Returns the models that transcribed any window, in the order of the channels; empty for a recording without speech. */
export function describeProvenance(
  plans: ChannelPlan[],
  { results, names = [], wordLists = [] }: ProvenanceInputs,
): ModelProvenance[] {
  const enginesByKey = new Map([...results].map(({ key, engines }) => [key, engines]))
  const transcribed = plans.flatMap(({ windows }) => windows).filter(({ key }) => enginesByKey.has(key))
  const createdAt = new Date().toISOString()
  return [...Map.groupBy(transcribed, ({ model }) => model.id).values()].flatMap((windows) => {
    const [first] = windows
    if (!first) return []
    const { model } = first
    const engines = new Set(windows.flatMap(({ key }) => enginesByKey.get(key) ?? []))
    return [
      {
        model_id: model.id,
        model_name: model.name,
        model_hash: model.contentHash ?? null,
        ...describeEngines([...engines]),
        settings: {
          ...describeDecoding(model, windows),
          ...(names.length > 0 && { names }),
          ...(wordLists.length > 0 && { word_lists: wordLists.map(describeWordList) }),
        },
        created_at: createdAt,
      },
    ]
  })
}

function describeDecoding(model: SpeechModel, windows: PlannedWindow[]): Record<string, unknown> {
  const languages = [...new Set(windows.map(({ language }) => language))]
  const isDetected = windows.some(({ languageProbability }) => languageProbability !== null)
  const decoding = Object.fromEntries(languages.map((language) => [language, decodingFor(model, language)]))
  return { languages, language_detection: isDetected, decoding }
}

/** Splits names such as `whisper.cpp 1.9.3` into name and version; hosts of servers have no version. */
function describeEngines(engines: string[]): Pick<ModelProvenance, 'engine' | 'engine_version'> {
  const parts = engines.map((engine) => /^(?<name>\S+) (?<version>\d\S*)$/.exec(engine)?.groups)
  const names = engines.map((engine, index) => parts[index]?.name ?? engine)
  const versions = parts.flatMap((groups) => groups?.version ?? [])
  return {
    engine: [...new Set(names)].join(', ') || 'unknown',
    engine_version: versions.length > 0 ? [...new Set(versions)].join(', ') : null,
  }
}
