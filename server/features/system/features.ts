import type { Logger } from 'pino'
import { transcriptionLanguages, translationLanguages } from '#contract/languages.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { readFeatures } from '#data/engines/engines.ts'

/** While no engine is live, nothing is known and so nothing is ruled out: the engine that claims a job decides. */
const unknownFeatures: EngineFeatures = {
  speech: null,
  translation: null,
  transcription: [...transcriptionLanguages],
  translation_sources: Object.keys(translationLanguages),
  translation_targets: Object.keys(translationLanguages),
  diarization: true,
  language_detection: true,
  models: [],
  speech_models: [],
}

/** Returns what the live engines can do together; everything while none is live or the database is unavailable. */
export async function describeFeatures(connection: DatabaseConnection, log: Logger): Promise<EngineFeatures> {
  try {
    return (await readFeatures(connection)) ?? unknownFeatures
  } catch (err) {
    log.warn({ err }, 'what the engines can do is not known')
    return unknownFeatures
  }
}
