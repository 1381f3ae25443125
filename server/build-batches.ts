import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import type { Work } from './build-work.ts'
import { createBatchFeeder, type BatchFeeder } from './features/batches/batch-feeder.ts'
import type { RecordingTrail } from './features/recordings/recording-trail.ts'
import { createBatches, type Batches } from './features/batches/service.ts'

interface BatchServices {
  batches: Batches
  batchFeeder: BatchFeeder
}

/** Builds the services of batches; they run until the feeder is closed. */
export function buildBatches(work: Work & { activity: Activity; trail: RecordingTrail }, log: Logger): BatchServices {
  const batchFeeder = createBatchFeeder({ ...work, log })
  const batches = createBatches({ ...work, wakeFeeder: batchFeeder.wake })
  return { batches, batchFeeder }
}
