import { z } from 'zod'
import { LineChange } from '#contract/line-edits.ts'
import { unsentEditsKey } from '../../../shared/recordings/tab-data.ts'

/** Changes that the server does not have, and what they were made to. */
const UnsentEdits = z.object({ before: z.array(LineChange), changes: z.array(LineChange).min(1) })
export type UnsentEdits = z.infer<typeof UnsentEdits>

/** By transcription. */
const StoredEdits = z.record(z.string(), UnsentEdits)

/** Returns what an earlier page of this tab could not send for a transcription. */
export function readUnsentEdits(transcriptionId: string): UnsentEdits | null {
  return readAll()[transcriptionId] ?? null
}

/** Keeps what is not sent yet as long as this tab; null: all is sent. */
export function keepUnsentEdits(transcriptionId: string, unsent: UnsentEdits | null): void {
  const { [transcriptionId]: _, ...others } = readAll()
  const kept = unsent ? { ...others, [transcriptionId]: unsent } : others
  if (Object.keys(kept).length === 0) sessionStorage.removeItem(unsentEditsKey)
  else sessionStorage.setItem(unsentEditsKey, JSON.stringify(kept))
}

function readAll(): z.infer<typeof StoredEdits> {
  try {
    return StoredEdits.parse(JSON.parse(sessionStorage.getItem(unsentEditsKey) ?? '{}'))
  } catch {
    return {}
  }
}
