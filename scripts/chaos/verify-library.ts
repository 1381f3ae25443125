import { setTimeout as wait } from 'node:timers/promises'
import { api } from '#contract/api.ts'
import type { Ledger, LedgerUpload } from './ledger.ts'
import type { Person } from './person.ts'

/** The engine derives the library from recordings and jobs within a second; on a busy machine after many kills it may take longer. */
const settledWithinMs = 60_000
/** Recordings of each person that are searched for. */
const searchedPerPerson = 5

/**
 * Checks, once all work has ended, that the library and the search index agree with each recording: both are derived by an engine that
 * was killed repeatedly.
 */
export async function verifyLibrary({ people, ledger }: { people: Person[]; ledger: Ledger }): Promise<void> {
  await Promise.all(people.map((person) => verifyPerson(person, ledger)))
}

async function verifyPerson(person: Person, ledger: Ledger): Promise<void> {
  const endMs = performance.now() + settledWithinMs
  for (;;) {
    const problems = await findProblems(person, ledger)
    if (problems.length === 0) return
    if (performance.now() > endMs) {
      for (const { upload, problem } of problems) ledger.find('lost', upload.round, problem)
      return
    }
    await wait(500)
  }
}

interface Problem {
  upload: LedgerUpload
  problem: string
}

async function findProblems(person: Person, ledger: Ledger): Promise<Problem[]> {
  const listed = await readLibrary(person)
  const uploads = ledger.uploads.filter(({ person: number, state, name, possibleName = name }) => {
    // A name that was being changed when the response was lost may be either one.
    return number === person.number && state === 'kept' && possibleName === name
  })
  const problems = uploads.flatMap((upload): Problem[] => {
    const entry = listed.get(upload.id)
    if (!entry) return [{ upload, problem: `recording ${upload.id} is not in the library` }]
    if (entry.name !== upload.name)
      return [{ upload, problem: `the library names recording ${upload.id} "${entry.name}"` }]
    if (isTranscribed(ledger, upload) && entry.state === 'new')
      return [{ upload, problem: `the library does not know the transcription of recording ${upload.id}` }]
    return []
  })
  for (const upload of uploads.slice(-searchedPerPerson)) {
    if (!(await isFound(person, upload)))
      problems.push({ upload, problem: `recording ${upload.id} is not found by its name` })
  }
  return problems
}

function isTranscribed(ledger: Ledger, { id }: LedgerUpload): boolean {
  return [...ledger.jobs.values()].some((job) => {
    return job.recordingId === id && job.kind === 'transcribe' && job.end?.state === 'done'
  })
}

async function readLibrary(person: Person): Promise<Map<string, { name: string; state: string }>> {
  const entries = new Map<string, { name: string; state: string }>()
  for (let page = 1; ; page += 1) {
    const { body } = await person.call('GET', `/api/library?per_page=200&page=${page}`)
    const { data } = api.library.list.response.safeParse(body)
    for (const { id, name, state } of data?.recordings ?? []) entries.set(id, { name, state })
    if (!data || page >= data.pages) return entries
  }
}

async function isFound(person: Person, { id, name }: LedgerUpload): Promise<boolean> {
  const { body } = await person.call('GET', `/api/search?q=${encodeURIComponent(`"${name}"`)}`)
  const { data } = api.search.find.response.safeParse(body)
  return data?.calls.some(({ recording }) => recording.id === id) ?? false
}
