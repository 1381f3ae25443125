import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { Job } from '#contract/entities/job.ts'
import { checkKeywords, checkName, findUnended, type Ledger, type LedgerJob, type LedgerUpload } from './ledger.ts'
import { recordJobEnd } from './load.ts'
import type { Answer, Person } from './person.ts'
import type { FollowedEvents } from './stream.ts'
import { waitForAnswer } from './wait-for-answer.ts'

/** Time limit of a job: three attempts, each queued behind other people's jobs. */
const unendedAfterMs = 180_000
/** Time limit for an open stream to report an end that the API shows. */
const noticedWithinMs = 5_000

const Found = z.object({ name: z.string() })
const Word = z.array(z.object({ keyword: z.string() }))
const Words = z.object({ keywords: z.object({ custom: Word }) })
const WithResult = Job.extend({ result: z.unknown() })

export interface VerificationContext {
  people: Person[]
  ledger: Ledger
  streams: Map<number, FollowedEvents>
}

/** Checks the work acknowledged since the last check, or all of it with `isAll`. */
export async function verify(
  { people, ledger, streams }: VerificationContext,
  { isAll }: { isAll: boolean },
): Promise<void> {
  await Promise.all(
    people.map(async (person) => {
      const own = <Entry extends { person: number }>(entry: Entry) => entry.person === person.number
      for (const upload of ledger.uploads.filter(own))
        if (isAll || !upload.isVerified) await verifyUpload(person, ledger, upload)
      await verifyKeywords(person, ledger)
      for (const job of [...ledger.jobs.values()].filter(own))
        if (isAll || !job.end) await verifyJob(person, ledger, job)
    }),
  )
  findUnended(ledger, { nowMs: performance.now(), limitMs: unendedAfterMs })
  findUnnoticed(ledger, streams)
}

/** Waits until every acknowledged job has ended or exceeded its time limit. */
export async function waitForJobs(context: VerificationContext): Promise<void> {
  const isOpen = () =>
    [...context.ledger.jobs.values()].some(
      ({ end, acknowledgedAtMs }) => !end && performance.now() - acknowledgedAtMs < unendedAfterMs,
    )
  while (isOpen()) {
    await verify(context, { isAll: false })
    await wait(500)
  }
}

async function verifyUpload(person: Person, ledger: Ledger, upload: LedgerUpload): Promise<void> {
  const before = { ...upload }
  if (upload.state === 'kept') {
    const { status, content } = await downloadWithRetries(person, `/api/audio/${upload.id}`)
    if (upload.state !== before.state) return
    const sha256 = content && createHash('sha256').update(content).digest('hex')
    if (sha256 === upload.sha256) upload.isVerified = true
    else ledger.find('lost', upload.round, `upload ${upload.id} ${content ? 'is damaged' : `answers ${status}`}`)
  }
  const { status, body } = await callWithRetries(person, `/api/recordings/${upload.id}`)
  if (upload.state !== before.state || upload.name !== before.name) return
  const found = Found.safeParse(body)
  if (status === 200 && found.success) checkName(ledger, upload, found.data.name)
  else if (status === 404) checkName(ledger, upload, null)
  else ledger.find('lost', upload.round, `recording ${upload.id} answers ${status}`)
}

async function verifyKeywords(person: Person, ledger: Ledger): Promise<void> {
  const before = ledger.keywords.filter((entry) => entry.person === person.number).map((entry) => ({ ...entry, entry }))
  const { status, body } = await callWithRetries(person, '/api/auth/keywords')
  const words = Words.safeParse(body)
  // Entries that changed during the request are checked next time.
  const settled = before.filter(({ entry, state }) => entry.state === state).map(({ entry }) => entry)
  if (words.success) checkKeywords(ledger, settled, new Set(words.data.keywords.custom.map(({ keyword }) => keyword)))
  else if (settled.length > 0) ledger.find('lost', 0, `the keywords of person ${person.number} answer ${status}`)
}

async function verifyJob(person: Person, ledger: Ledger, job: LedgerJob): Promise<void> {
  const recording = ledger.uploads.find(({ id }) => id === job.recordingId)
  const { status, body } = await callWithRetries(person, `/api/jobs/${job.id}`)
  if (recording?.state !== 'kept') return // deleting a recording deletes its jobs
  const found = WithResult.safeParse(body)
  if (!found.success) return ledger.find('lost', job.round, `job ${job.id} (${job.kind}) answers ${status}`)
  recordJobEnd(ledger, found.data)
  if (found.data.state === 'done' && !found.data.result)
    ledger.find('lost', job.round, `the result of job ${job.id} (${job.kind}) is gone`)
}

/** Records job ends that a continuously open stream did not report, except for jobs deleted right afterwards. */
function findUnnoticed(ledger: Ledger, streams: Map<number, FollowedEvents>): void {
  const now = performance.now()
  for (const { id, person, round, kind, recordingId, end, acknowledgedAtMs } of ledger.jobs.values()) {
    const stream = streams.get(person)
    const openSinceMs = stream?.openSinceMs()
    if (!end || openSinceMs === undefined || stream?.hasSeenEnd(id)) continue
    if (ledger.uploads.find((upload) => upload.id === recordingId)?.state !== 'kept') continue
    if (openSinceMs < acknowledgedAtMs && end.seenAtMs < now - noticedWithinMs)
      ledger.find('unnoticed', round, `the end of job ${id} (${kind}) did not come over the event stream`)
  }
}

function callWithRetries(person: Person, path: string): Promise<Answer> {
  return waitForAnswer(() => person.call('GET', path))
}

function downloadWithRetries(person: Person, path: string) {
  return waitForAnswer(() => person.download(path))
}
