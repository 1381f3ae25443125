import type { ModelMeasurement } from '#engine/models/measurements.ts'

/** The text that a model produced from a sample, and its cost. */
export interface TrialResult {
  text: string
  /** Why its texts may be unreliable; null if there is no reason. */
  warning: string | null
  measurement: ModelMeasurement
}
