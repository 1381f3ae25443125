import { describe } from 'vitest'
import { realDataAbsence, realModelsAbsence } from './real-data.ts'

const absence = realModelsAbsence() ?? realDataAbsence()
if (absence !== undefined) console.log(`Skipped: ${absence}`)

/** `describe` of tests that need real weights and recordings of people; skipped where either is absent, and the file says why. */
export const describeReal = absence === undefined ? describe : describe.skip
