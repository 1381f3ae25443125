import { z } from 'zod'
import { LineChange } from '#contract/line-edits.ts'
import { unsentEditsPrefix } from '../../../shared/recordings/tab-data.ts'

/** Changes that the server does not have, and what they were made to. */
const UnsentEdits = z.object({ before: z.array(LineChange), changes: z.array(LineChange).min(1) })
export type UnsentEdits = z.infer<typeof UnsentEdits>

/** By transcription. */
const StoredEdits = z.record(z.string(), UnsentEdits)

interface EditedTranscription {
  userId: string
  transcriptionId: string
}

/** Returns what an earlier page of this tab could not send for a transcription. */
export function readUnsentEdits({ userId, transcriptionId }: EditedTranscription): UnsentEdits | null {
  return readAll(userId)[transcriptionId] ?? null
}

/** Keeps what is not sent yet as long as this tab, where its storage has room; null: all is sent. */
export function keepUnsentEdits({ userId, transcriptionId }: EditedTranscription, unsent: UnsentEdits | null): void {
  const { [transcriptionId]: _, ...others } = readAll(userId)
  const kept = unsent ? { ...others, [transcriptionId]: unsent } : others
  try {
    if (Object.keys(kept).length === 0) sessionStorage.removeItem(unsentEditsPrefix + userId)
    else sessionStorage.setItem(unsentEditsPrefix + userId, JSON.stringify(kept))
  } catch {
    // A full storage must not keep the changes from being sent.
  }
}

function readAll(userId: string): z.infer<typeof StoredEdits> {
  try {
    return StoredEdits.parse(JSON.parse(sessionStorage.getItem(unsentEditsPrefix + userId) ?? '{}'))
  } catch {
    return {}
  }
}
