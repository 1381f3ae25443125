import { describe } from 'vitest'
import { realDataAbsence, realModelsAbsence } from './real-data.ts'

/** Describes tests that need real weights and recordings of people; where either is absent they are skipped, with the reason as name. */
export function describeReal(name: string, tests: () => void): void {
  const absence = realModelsAbsence() ?? realDataAbsence()
  describe.skipIf(absence !== undefined)(absence === undefined ? name : `${name} (skipped: ${absence})`, tests)
}
