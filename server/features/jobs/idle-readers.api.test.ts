import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { StreamEvent } from '#contract/entities/job.ts'
import { completeJob } from '#data/jobs/lease.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { openEvents, openIdleReader, type IdleReader } from '#testing/event-stream.ts'
import { makeLongJob, type LongJob } from '#testing/long-job.ts'
import { startServerProcess, type TestProcess } from '#testing/processes.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { makeTranscription } from '#testing/work.ts'

const mebibyte = 1024 * 1024
/** Several users, because together they open more streams than the product allows one user. */
const userCount = 4
const streamsPerUser = 25

let server: TestServer
let users: SignedInUser[]
/** A separate server process on the same database, so that its memory can be measured. */
let subject: TestProcess & { url: string }
const idle: IdleReader[] = []
let sampling: NodeJS.Timeout | undefined

beforeAll(async () => {
  server = await startTestServer()
  users = await Promise.all(Array.from({ length: userCount }, () => server.createSignedIn()))
  const { databaseUri, config } = server
  const database = { uri: databaseUri, dbName: new URL(databaseUri).pathname.slice(1) }
  subject = await startServerProcess({ dataDir: config.dataDir, database })
})
afterAll(async () => {
  clearInterval(sampling)
  for (const reader of idle) reader.close()
  await subject.end('SIGTERM')
  await server.close()
})

const queue = () => openQueue(server.services.database.connection, { leaseMs: 600_000 })

const tokenOf = (index: number) => users[index]?.accessToken ?? ''

function countDescriptors(): number {
  return readdirSync(`/proc/${subject.pid}/fd`).length
}

function residentBytes(): number {
  const status = readFileSync(`/proc/${subject.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

test('100 readers that read nothing, of jobs of 26,000 lines, leave the server small, get the latest state once they read, and are disconnected', async () => {
  // The baseline: what any server holds once it has served a stream.
  const reading = await openEvents(subject.url, tokenOf(0))
  await vi.waitFor(() => expect(reading.events).toHaveLength(1))
  const idleBytes = residentBytes()
  const idleSockets = countDescriptors()
  let peakBytes = idleBytes
  sampling = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytes())), 50)

  const jobs: LongJob[] = []
  for (const user of users) jobs.push(await makeLongJob(queue(), { ownerId: user.id }))
  for (const [index] of users.entries()) {
    for (let count = 0; count < streamsPerUser; count += 1) idle.push(await openIdleReader(subject.url, tokenOf(index)))
  }
  for (let round = 0; round < 20; round += 1) for (const job of jobs) await job.addLines(20)
  await vi.waitFor(() => expect(lineCount(reading.events)).toBe(26_400), 60_000)
  const [first] = jobs
  if (first) await completeJob(queue(), first.job, { result: makeTranscription(), languages: ['ps'] })
  await vi.waitFor(() => expect(reading.events.some(isEnd)).toBe(true))

  const late = idle[0]?.read()
  await vi.waitFor(() => expect(late?.events.some(isEnd)).toBe(true))
  expect(late?.events[0]).toMatchObject({ type: 'snapshot' })
  expect(late?.events.filter(({ type }) => type === 'job').length).toBeLessThan(15)
  // The readers of the job that ended have little left to read and may stay connected.
  const few = idleSockets + streamsPerUser + 15
  await vi.waitFor(() => expect(countDescriptors()).toBeLessThan(few), { timeout: 60_000, interval: 500 })
  expect(peakBytes).toBeLessThan(1.5 * idleBytes + 100 * mebibyte)
}, 240_000)

function isEnd(event: StreamEvent): boolean {
  return event.type === 'job' && event.job.state === 'done'
}

function lineCount(events: StreamEvent[]): number {
  const changes = events.flatMap((event) => (event.type === 'progress' ? event.changes : []))
  return changes.reduce((sum, change) => sum + ('lines' in change ? change.lines.length : 0), 0)
}
