import { describe } from 'vitest'
import { realDataAbsence, realModelsAbsence } from './real-data.ts'

const absence = realModelsAbsence() ?? realDataAbsence()
if (absence !== undefined) console.log(`Skipped: ${absence}`)

/** `describe` for tests that need real weights and recordings of people; skipped, with the reason in the log, when either is absent. */
export const describeReal = absence === undefined ? describe : describe.skip
