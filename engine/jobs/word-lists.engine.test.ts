import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addRecordingsToCase } from '#data/cases/case-recordings.ts'
import { insertCase } from '#data/cases/cases.ts'
import { newId } from '#data/ids.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import { replaceWordList } from '#data/word-lists/word-lists.ts'
import type { TestDatabase } from '#testing/database.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { copyToStore, storeDocument } from '#testing/recordings.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { runJob, type RunnerContext } from './job-runner.ts'
import { keepModelsLoaded, type LoadedModels } from './loaded-models.ts'
import { openTestQueue } from './testing/job-queue.ts'
import { demoFiles, makeModelFolder, type ModelFolder } from './testing/model-folder.ts'
import { makeRunnerContext } from './testing/runner-context.ts'
import { watchModels } from './watch-models.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let queue: Queue
let folder: ModelFolder
let loaded: LoadedModels
let context: RunnerContext
const recording = { ownerId: newId(), recordingId: newId() }

beforeAll(async () => {
  ;({ database, queue } = await openTestQueue())
})
afterAll(() => database.drop())

beforeEach(async () => {
  folder = await makeModelFolder()
  const watch = await watchModels(folder.config, log)
  loaded = keepModelsLoaded({ threads: 1, idleMs: 60_000 })
  const audioDir = await temporaryFolder()
  await copyToStore(join(dirname(demoFiles.speech), 'sample-call.mp3'), audioDir, recording.recordingId)
  const { ownerId, recordingId: id } = recording
  await storeDocument(database.connection, { id, ownerId, extension: 'mp3', durationMs: 31_000 })
  context = await makeRunnerContext({
    queue,
    loaded,
    audioDir,
    modelsDir: folder.dir,
    refreshModels: watch.refresh,
  })
})
afterEach(async () => {
  await loaded.close()
  await folder.remove()
})

async function transcribe() {
  const params = {
    kind: 'transcribe' as const,
    language: 'ps' as const,
    channelLanguages: ['ps' as const, 'en' as const],
  }
  const { id } = await makeJob(queue, { ...recording, params, workKey: newId() })
  await runJob(context, await takeJob(queue), new AbortController().signal)
  return readResult(queue, recording.ownerId, id, 'transcribe')
}

test('words of the owner and of a case of the recording are written as listed, and say what was heard', async () => {
  const plain = await transcribe()
  const { ownerId, recordingId } = recording
  const { id: caseId } = await insertCase(queue.connection, { ownerId, name: 'Bridge', colour: 'teal', notes: '' })
  await addRecordingsToCase(queue.connection, { caseId, ownerId, recordingIds: [recordingId] })
  const ownWords = [{ word: 'Tonite', heard_as: ['tonight'] }]
  const caseWords = [{ word: 'London Bridge', heard_as: ['bridge'] }]
  await replaceWordList(queue.connection, { of: 'user', id: ownerId }, { revision: 0, words: ownWords })
  await replaceWordList(queue.connection, { of: 'case', id: caseId }, { revision: 0, words: caseWords })

  const corrected = await transcribe()
  const expected = plain?.transcription.replaceAll('bridge', 'London Bridge').replaceAll('tonight', 'Tonite')
  expect(corrected?.transcription).toBe(expected)
  expect(corrected?.transcription).not.toBe(plain?.transcription)
  const corrections = corrected?.segments.flatMap(({ words = [] }) =>
    words.flatMap(({ correction }) => correction ?? []),
  )
  expect(corrections).toContainEqual({ heard: 'bridge', written: 'London Bridge' })
  expect(corrections).toContainEqual({ heard: 'tonight', written: 'Tonite' })
  expect(corrected?.provenance?.[0]?.settings.word_lists).toEqual([
    `case ${caseId} revision 1`,
    `user ${ownerId} revision 1`,
  ])
  expect(JSON.stringify(corrected?.provenance)).not.toContain('Tonite')
  expect(plain?.provenance?.[0]?.settings).not.toHaveProperty('word_lists')
})
