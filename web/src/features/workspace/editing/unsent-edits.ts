import { z } from 'zod'
import { LineChange } from '#contract/line-edits.ts'
import { unsentEditsPrefix } from '../../../shared/recordings/tab-data.ts'
import { createUnsentStore } from '../../../shared/recordings/unsent-store.ts'

/** Changes that the server does not have yet, and the edits they were made to. */
const UnsentEdits = z.object({ before: z.array(LineChange), changes: z.array(LineChange).min(1) })
export type UnsentEdits = z.infer<typeof UnsentEdits>

/** Changes that earlier pages of this tab could not send, by transcription. */
export const unsentEdits = createUnsentStore(unsentEditsPrefix, UnsentEdits)
