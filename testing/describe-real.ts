import { describe } from 'vitest'
import { realDataAbsence, realModelsAbsence } from './real-data.ts'

const absence = realModelsAbsence() ?? realDataAbsence()
if (absence !== undefined) console.log(`Skipped: ${absence}`)

/** Describes tests that need real weights and recordings of people; where either is absent they are skipped, and the file says why. */
export function describeReal(name: string, tests: () => void): void {
  describe.skipIf(absence !== undefined)(name, tests)
}
