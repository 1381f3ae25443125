import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { api } from '#contract/api.ts'
import type { Query } from '#contract/endpoint.ts'
import { AppError } from '#contract/app-error.ts'
import { connectDatabase, type DatabaseConnection } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createIndexMaintenance } from '#data/search/maintain-index.ts'
import { realDataDir } from '#testing/real-data.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { createSearch, type SearchService } from '#server/features/search/service.ts'
import { createLineGenerator, linesPerHour } from './search/generate-lines.ts'
import type { JobWriterData } from './search/job-writer.ts'
import { seededRandom } from '#testing/audio.ts'
import { makeVocabularies, readVocabularies, type Vocabulary } from './search/vocabularies.ts'
import { measureFreshLine } from './search/fresh-line.ts'
import { readSizes, settleIndex } from './search/index-sizes.ts'
import { storeHour } from './search/store-hour.ts'

const defaultHours = '10,100,1000'
/** What the product promises; docs/decisions/search-index.md. */
const maxP95Ms = 300
const maxFreshMs = 2_000
const maxSizeRatio = 1.5
const queriesPerKind = 100

/**
 * Measures search in generated transcripts of five languages on the embedded database, while another thread writes what a job writes:
 * how long queries take, as typed and with other spellings of names, how large the index is relative to the text, and how soon a new line
 * is found. Options: --hours 10,100,1000; --lines 60 for fewer lines than 600 an hour, so that there are more calls of the same length in
 * all; --news for the words of real news instead of random letters.
 */
export async function run(args: string[]): Promise<void> {
  const options = {
    hours: { type: 'string', default: defaultHours },
    lines: { type: 'string' },
    news: { type: 'boolean', default: false },
  } as const
  const { values } = parseArgs({ args, options })
  const folder = await makeRuntimeFolder()
  const dataFile = `${folder}/bench.sqlite`
  const engine = await startEmbeddedDatabase({ dataFile, socketPath: `${folder}/db.sock` })
  const database = await connectDatabase({ mongodbUri: engine.uri })
  try {
    await ensureIndexes(database.connection)
    await measureAll(database.connection, {
      uri: engine.uri,
      dataFile,
      hours: values.hours.split(',').map(Number),
      lines: Number(values.lines ?? linesPerHour),
      vocabularies: values.news ? await readVocabularies(join(realDataDir, 'translation')) : makeVocabularies(),
    })
  } finally {
    await database.close()
    await engine.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Words of lines, and the commonest words. */
interface Samples {
  samples: string[][]
  commonest: string[]
}

interface Setting {
  uri: string
  dataFile: string
  hours: number[]
  /** Number of lines in each hour. */
  lines: number
  vocabularies: Vocabulary[]
}

async function measureAll(
  connection: DatabaseConnection,
  { uri, dataFile, hours, lines: lineCount, vocabularies }: Setting,
): Promise<void> {
  const ownerId = newId()
  const generator = createLineGenerator({ seed: 1, lineCount, vocabularies })
  const maintenance = createIndexMaintenance(connection)
  const samples: string[][] = []
  let stored = 0
  for (const target of hours) {
    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    for (; stored < target; stored++) {
      const lines = generator.hour()
      for (const index of [7, Math.floor(lineCount / 2)])
        samples.push((lines[index]?.text ?? '').replace('.', '').split(' '))
      await storeHour(connection, ownerId, `call ${stored}`, lines)
      await maintenance.relieve(ownerId)
    }
    while (await maintenance.runOnce());
    const { user, system } = process.cpuUsage(cpu)
    console.log(`\n${target} hours, ${(target * lineCount).toLocaleString('en')} lines`)
    console.log(
      `  stored and indexed in ${seconds(performance.now() - startedAt)}, CPU of the writer ${seconds((user + system) / 1000)}`,
    )
    await settleIndex(connection, ownerId, maintenance)
    await printSizes(connection, ownerId, dataFile)
    await measureQueries(connection, ownerId, { uri, vocabularies, samples, commonest: generator.commonest })
  }
}

async function printSizes(connection: DatabaseConnection, ownerId: string, dataFile: string): Promise<void> {
  const { text, words, lines, segments, names } = await readSizes(connection, ownerId)
  const ratio = (words + lines) / text
  const file = megabytes((await stat(dataFile)).size)
  console.log(
    `  text ${megabytes(text)}; index ${megabytes(words)} words in ${segments} segments + ${megabytes(lines)} lines = ` +
      `${ratio.toFixed(2)} of the text${ratio > maxSizeRatio ? ' TOO LARGE' : ''}; database file ${file}; names by their sound ${megabytes(names)}, without them the index is ${megabytes(words + lines - names)}`,
  )
}

async function measureQueries(
  connection: DatabaseConnection,
  ownerId: string,
  { uri, vocabularies, ...words }: Samples & Pick<Setting, 'uri' | 'vocabularies'>,
) {
  const workerData: JobWriterData = { uri, ownerId, vocabularies }
  const writer = new Worker(new URL('./search/job-writer.ts', import.meta.url), { workerData })
  const failed = new Promise<never>((_, reject) => writer.once('error', reject))
  try {
    await Promise.race([failed, measureKinds(createSearch({ connection }), ownerId, words)])
    const times = await Promise.race([failed, measureFreshLine(connection, createSearch({ connection }), ownerId)])
    const most = times.at(-1) ?? 0
    const each = times.map((ms) => ms.toFixed(0)).join(', ')
    console.log(`  a line is found ${each} ms after its transcription is done${most > maxFreshMs ? ' TOO LATE' : ''}`)
  } finally {
    await writer.terminate()
  }
}

async function measureKinds(search: SearchService, ownerId: string, { samples, commonest }: Samples): Promise<void> {
  for (const spelling of ['exact', 'any', 'exact', 'any'] as const) {
    console.log(`  names ${spelling === 'any' ? 'in any spelling' : 'as they are typed'}`)
    await measureSpelling(search, ownerId, { samples, commonest, spelling })
  }
}

type Spelling = Query<typeof api.search.find>['spelling']

async function measureSpelling(
  search: SearchService,
  ownerId: string,
  { samples, commonest, spelling }: Samples & { spelling: Spelling },
): Promise<void> {
  const random = seededRandom(5)
  const words = () => samples[Math.floor(random() * samples.length)] ?? []
  const pick = (from: string[]) => from[Math.floor(random() * from.length)] ?? ''
  const phrase = (length: number) => {
    const line = words()
    const from = Math.floor(random() * Math.max(1, line.length - length))
    return `"${line.slice(from, from + length).join(' ')}"`
  }
  const twoWords = () => {
    const line = words()
    return `${pick(line)} ${pick(line)}`
  }
  const kinds: [name: string, next: () => string][] = [
    ['one word', () => pick(words())],
    ['two words', twoWords],
    ['a phrase', () => phrase(3)],
    ['a beginning', () => `${pick(words().filter(({ length }) => length > 3)).slice(0, 3)}*`],
    ['a word without another', () => `${pick(words())} -${pick(words())}`],
  ]
  const times: number[] = []
  for (const [name, next] of kinds) times.push(...(await measureKind(search, ownerId, { name, next, spelling })))
  const sorted = times.toSorted((a, b) => a - b)
  console.log(`  ${'all of these'.padEnd(24)} median ${percentile(sorted, 0.5)} ms, p95 ${percentile(sorted, 0.95)} ms`)
  await measureHeaviest(search, ownerId, commonest, spelling)
}

/** Measures queries for the commonest words of a language, the most that a query can cost. */
async function measureHeaviest(
  search: SearchService,
  ownerId: string,
  commonest: string[],
  spelling: Spelling,
): Promise<void> {
  const [first = '', second = '', third = ''] = commonest
  const heaviest = [
    first,
    `${first} ${second}`,
    `"${first} ${second} ${third}"`,
    `${first}*`,
    `-"${second} ${third}" ${first}`,
  ]
  for (const query of heaviest)
    await measureKind(search, ownerId, { name: 'the commonest', next: () => query, spelling, count: 10 })
}

/** Measures one kind of query; returns the times of each in milliseconds. */
async function measureKind(
  search: SearchService,
  ownerId: string,
  {
    name,
    next,
    spelling,
    count = queriesPerKind,
  }: { name: string; next: () => string; spelling: Spelling; count?: number },
): Promise<number[]> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const times: number[] = []
  let found = 0
  let refused = 0
  const cpu = process.cpuUsage()
  for (let index = 0; index < count; index++) {
    const query = api.search.find.query.parse({ q: next(), sort: index % 2 ? 'best' : 'newest', spelling })
    const startedAt = performance.now()
    try {
      const page = await search.find(ownerId, query, new AbortController().signal)
      JSON.stringify(page)
      found += page.total_calls
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused += 1
    }
    times.push(performance.now() - startedAt)
  }
  delay.disable()
  const { user, system } = process.cpuUsage(cpu)
  print(name, { times, delay, cpuMs: (user + system) / 1000 / count, found: found / count, refused })
  return times
}

function print(
  name: string,
  {
    times,
    delay,
    cpuMs,
    found,
    refused,
  }: {
    times: number[]
    delay: ReturnType<typeof monitorEventLoopDelay>
    cpuMs: number
    found: number
    refused: number
  },
) {
  const sorted = times.toSorted((a, b) => a - b)
  const p95 = percentile(sorted, 0.95)
  const figures = [
    `median ${percentile(sorted, 0.5)} ms`,
    `p95 ${p95} ms${p95 > maxP95Ms ? ' TOO SLOW' : ''}`,
    `max ${percentile(sorted, 1)} ms`,
    `CPU ${cpuMs.toFixed(0)} ms`,
    `others waited ${(delay.max / 1e6).toFixed(0)} ms at most`,
    `${found.toFixed(0)} calls found`,
    ...(refused > 0 ? [`${refused} refused`] : []),
  ]
  console.log(`  ${name.padEnd(24)} ${figures.join(', ')}`)
}

/** Returns the percentile `share` (0 to 1) of ascending times, in whole milliseconds. */
function percentile(sorted: number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
