import { z } from 'zod'
import { LineEdit } from '#contract/line-edits.ts'
import { unpackJson } from '../jobs/packed-json.ts'

/** Returns the stored edits of a transcription. */
export async function unpackEdits(packed: Uint8Array): Promise<LineEdit[]> {
  return z.array(LineEdit).parse(await unpackJson(packed))
}
