import { AppError } from '#contract/app-error.ts'
import type { BatchRequest } from '#contract/batches.ts'
import type { FolderSettings } from './folder-settings.ts'

export type StartBatch = (ownerId: string, request: BatchRequest) => Promise<unknown>

interface FolderWork {
  ownerId: string
  /** Ids of recordings. */
  ids: string[]
  settings: FolderSettings
}

/** Codes of errors that trying again cannot change. */
const impossibleCodes: readonly string[] = ['unsupported_language', 'unsupported_pair', 'model_unavailable']

/**
 * Starts the work that the folder's settings specify. Returns a sentence if no model can do it; throws if it may work later, for example
 * when the owner has too many batches.
 */
export async function startWork(
  { startBatch }: { startBatch: StartBatch },
  { ownerId, ids, settings }: FolderWork,
): Promise<string | null> {
  const { transcribe, target_languages, language, channel_languages } = settings
  if (!transcribe) return null
  try {
    const selection = { ids: [...new Set(ids)] }
    await startBatch(ownerId, { selection, transcribe: { language, channel_languages }, target_languages, redo: false })
    return null
  } catch (error) {
    if (!(error instanceof AppError) || !impossibleCodes.includes(error.code)) throw error
    return `The recording is in the library, but it is not transcribed: ${[error.message, error.help].filter(Boolean).join(' ')}`
  }
}
