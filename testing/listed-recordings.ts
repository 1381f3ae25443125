import type { RecordingState } from '#contract/library.ts'
import { raiseLastChange, readLastChange } from '#data/change-counter.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { insertEntries, toEntry } from '#data/library/entries.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { toRecordingRecord } from '#data/recordings/recording-record.ts'

const storedAtOnce = 500
/** No waiting or running states: there are no jobs. */
const states: RecordingState[] = ['done', 'done', 'done', 'done', 'done', 'done', 'done', 'failed', 'new', 'new']
const names = ['call', 'interview', 'د سبا غږ', 'مکالمه', 'گفتگو', 'checkpoint'] as const
const tags = [[], [], ['border'], ['border', 'north'], ['ننګرهار'], ['urgent']] as const

/** Stores recordings with the fields that lists show, without files or jobs; a running engine has nothing to derive from them. */
export async function storeListedRecordings(
  connection: DatabaseConnection,
  ownerId: string,
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += storedAtOnce) {
    await storeSome(connection, ownerId, from)
    // Each recording would take a change number if people uploaded them one by one.
    await raiseLastChange(connection, (await readLastChange(connection)) + storedAtOnce)
  }
}

async function storeSome(connection: DatabaseConnection, ownerId: string, from: number): Promise<void> {
  const documents = Array.from({ length: storedAtOnce }, (_, offset) => makeRecording(ownerId, from + offset))
  await recordingModel(connection).insertMany(documents, { lean: true })
  await insertEntries(
    connection,
    documents.map((document, offset) => {
      const number = from + offset
      const state = pick(states, number * 7)
      const hits = { threats: number % 5, sentiment: number % 3, intent: number % 11, custom: 0 }
      const counted = { hits, countedText: 'counted', countedKeywords: 'counted' }
      return toEntry(toRecordingRecord(document), { state, languages: ['ps', 'en'] }, counted)
    }),
  )
}

function makeRecording(ownerId: string, number: number) {
  return {
    _id: toObjectId(newId()),
    ownerId: toObjectId(ownerId),
    name: `${pick(names, number)} ${(number * 7919) % 10_000}.mp3`,
    extension: 'mp3' as const,
    sizeBytes: 960_000,
    sha256: `none-${number}`,
    durationMs: 30_000 + ((number * 104_729) % 3_600_000),
    channels: 2 as const,
    isStereo: true,
    peaks: [0, 1].map((lane) => Array.from({ length: 50 }, (_, bar) => ((bar * 37 + number + lane) % 100) / 100)),
    tags: [...pick(tags, number)],
    createdAt: new Date(Date.UTC(2026, 0, 1) + number * 600_000),
    // Precedes every change that the engine follows, so it has nothing to derive.
    change: 0,
    version: 1,
    deletedAt: null,
  }
}

function pick<Value>(values: readonly Value[], number: number): Value {
  const value = values[number % values.length]
  if (value === undefined) throw new Error('There is nothing to pick from')
  return value
}
