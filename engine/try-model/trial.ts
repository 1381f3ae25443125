import type { ModelMeasurement } from '#engine/models/measured.ts'

/** What a model made of a sample, and what that cost. */
export interface Trial {
  text: string
  /** What makes its texts doubtful, as a sentence; null where nothing does. */
  warning: string | null
  measurement: ModelMeasurement
}
