import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { api } from '#contract/api.ts'
import { watchActivity } from '#data/activity.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { holdFollowerLease, saveFollowerPosition } from '#data/followers/follower-lease.ts'
import { newId } from '#data/ids.ts'
import { findLastChange } from '#data/jobs/changes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import type { LibraryStep } from '#engine/library/changed-recording.ts'
import { followChanges, libraryFollower } from '#engine/library/follow-changes.ts'
import { createLibrary } from '#engine/library/library.ts'
import type { SearchService } from '#server/features/search/service.ts'
import { storeDocument } from '#testing/recordings.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription } from '#testing/work.ts'
import { createLineGenerator, linesPerHour } from './generate-lines.ts'
import { makeVocabularies } from './vocabularies.ts'

const holder = 'bench'
const pollMs = 20
const rounds = 5

/** Returns the milliseconds from the end of an hour's transcription until a search finds one of its lines, with a follower; ascending. */
export async function measureFreshLine(
  connection: DatabaseConnection,
  search: SearchService,
  ownerId: string,
): Promise<number[]> {
  const queue = openQueue(connection)
  const own = new Set<string>()
  const stop = new AbortController()
  const library = createLibrary(queue)
  // The other recordings of the bench have lines but no jobs, and would lose their lines if they were followed.
  const steps = library.steps.map(
    (step): LibraryStep =>
      async (changed) =>
        void (own.has(changed.id) && (await step(changed))),
  )
  await skipToLastChange(queue)
  const log = pino({ level: 'warn' })
  const activity = watchActivity(connection)
  const follower = followChanges({ queue, holder, activity, ...library, steps, drain: stop.signal, log })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await measureOne(queue, { search, ownerId, own, round }))
  stop.abort()
  await follower.stopped
  activity.close()
  return times.toSorted((a, b) => a - b)
}

async function skipToLastChange(queue: Queue): Promise<void> {
  const lease = { name: libraryFollower, holder }
  await holdFollowerLease(queue.connection, lease)
  await saveFollowerPosition(queue.connection, lease, await findLastChange(queue))
}

async function measureOne(
  queue: Queue,
  { search, ownerId, own, round }: { search: SearchService; ownerId: string; own: Set<string>; round: number },
): Promise<number> {
  const { id } = await storeDocument(queue.connection, { ownerId, name: `fresh ${round}`, durationMs: 3_600_000 })
  own.add(id)
  const token = `fresh${newId()}`
  const segments = createLineGenerator({ seed: round, lineCount: linesPerHour, vocabularies: makeVocabularies() })
    .hour()
    .map(({ start, end, text }, index) => ({ start, end, text: index === 599 ? token : text }))
  await storeFinishedJob(queue, {
    ownerId,
    recordingId: id,
    params: { kind: 'transcribe', language: 'auto', channelLanguages: null },
    workKey: newId(),
    outcome: { result: makeTranscription({ segments, speaker_transcriptions: [] }), languages: ['ps'] },
  })
  const startedAt = performance.now()
  const query = api.search.find.query.parse({ q: token })
  while ((await search.find(ownerId, query, new AbortController().signal)).total_calls === 0) await sleep(pollMs)
  return performance.now() - startedAt
}
