import type { Queue } from '#data/jobs/queue.ts'
import type { AccessibleRecording } from '#data/recordings/access.ts'
import { EncodedJson } from '#server/http/encoded-json.ts'
import { fetchResults } from './fetch-results.ts'
import { planDetails } from './present.ts'
import type { TranscriptThreads } from './threads/transcript-threads.ts'

export type DetailsReader = ReturnType<typeof createDetailsReader>

/** Creates a reader that returns the details of recordings as a response. */
export function createDetailsReader({ queue, threads }: { queue: Queue; threads: TranscriptThreads }) {
  return async function readDetails(
    recording: AccessibleRecording,
    { compact: isCompact }: { compact: boolean },
    signal: AbortSignal,
  ): Promise<EncodedJson> {
    const plan = await planDetails(queue, recording)
    const packed = await fetchResults(queue, recording.ownerId, plan.results)
    const [json = Buffer.of()] = await threads.run('writeDetails', { ...plan, packed, isCompact }, signal)
    return new EncodedJson(json)
  }
}
