import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultAlertDigest } from '#contract/alerts.ts'
import { claimDueDigest, saveAlertDigest, takeDigestAlerts } from '#data/alerts/alert-digests.ts'
import { createAlertRepository } from '#data/alerts/alerts.ts'
import { listAlertPlaces } from '#data/alerts/raised-alerts.ts'
import { createWatchListRepository } from '#data/alerts/watch-lists.ts'
import { newId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription } from '#testing/work.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterAll(() => database.drop())

const hitCount = 2_000
const ownerId = newId()

/** Stores a finished transcription of a call in which the watched word is said in every line. */
async function finishCall(): Promise<string> {
  const queue = openQueue(database.connection)
  const { id: recordingId } = await storeDocument(database.connection, { ownerId, durationMs: 4_000_000 })
  const segments = Array.from({ length: hitCount }, (_, index) => {
    return { start: index, end: index + 0.9, text: `at the river ${index}` }
  })
  const id = newId()
  const params = { kind: 'transcribe' as const, language: 'en' as const, channelLanguages: null, names: [] }
  await storeFinishedJob(queue, {
    id,
    ownerId,
    recordingId,
    params: { ...params, speakerCount: null, splitVoices: [], model: null },
    workKey: newId(),
    outcome: {
      result: makeTranscription({ transcription_id: id, segments, speaker_transcriptions: [], num_speakers: 1 }),
      languages: ['en'],
    },
  })
  return recordingId
}

function startFollower() {
  const script = join(import.meta.dirname, 'testing', 'follow-worker.ts')
  const arguments_ = [script, database.uri, database.connection.name]
  return spawn(process.execPath, arguments_, { stdio: ['ignore', 'ignore', 'inherit'] })
}

test(
  'an engine that is killed while it raises alerts loses none and raises none twice',
  { timeout: 60_000 },
  async () => {
    const lists = createWatchListRepository(database.connection)
    const fields = { categories: [], words: ['river'], texts: 'both' as const, threshold: 1, tags: [], isOn: true }
    await lists.insert(ownerId, { ...fields, name: 'Rivers' })
    const { mode: _mode, hour, time_zone: timeZone, with_content: withContent } = defaultAlertDigest
    const now = new Date()
    await saveAlertDigest(database.connection, { ownerId, mode: 'immediately', hour, timeZone, withContent }, now)
    const recordingId = await finishCall()
    const listAlerts = () => listAlertPlaces(database.connection, { ownerId, recordingId })

    const { countUnread } = createAlertRepository(database.connection)
    const killed = startFollower()
    const exited = once(killed, 'exit')
    while ((await countUnread(ownerId)) === 0 && killed.exitCode === null);
    killed.kill('SIGKILL')
    await exited
    expect(await countUnread(ownerId)).toBeLessThan(hitCount)

    const [code] = await once(startFollower(), 'exit')
    expect(code).toBe(0)
    const alerts = await listAlerts()
    expect(alerts.length).toBe(hitCount)
    expect(new Set(alerts.map(({ timeMs }) => timeMs)).size).toBe(hitCount)
    expect(await claimDueDigest(database.connection, new Date(now.getTime() + 3_600_000))).toMatchObject({ ownerId })
    expect(await takeDigestAlerts(database.connection, { ownerId, digestId: newId() })).toMatchObject({
      alertCount: hitCount,
      recordingCount: 1,
    })
  },
)
