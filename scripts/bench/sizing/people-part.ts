import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '#contract/api.ts'
import { chosenPassword } from '#testing/api-calls.ts'
import { copyFirstAdmin } from '#testing/copied-user.ts'
import { openEvents, type EventStream } from '#testing/event-stream.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { createPerson, type Person } from '../../chaos/person.ts'
import { megabytes, p95, sumCpu } from './figures.ts'
import type { Bench } from './bench.ts'
import { readProductCost, watchProductCost } from './product-cost.ts'

const callMinutes = 10
/** A person looks at the library this often, and opens a call and listens to it half as often. */
const pauseMs = 10_000
const servingRoles = ['server', 'database'] as const

interface Worker {
  person: Person
  recordingId: string
  events: EventStream
}

/** Signs people in, lets each work on one of their calls, and prints what that costs server and database and how long they wait. */
export async function measurePeople(
  { stack, database, mark }: Bench,
  { people, seconds }: { people: number; seconds: number },
): Promise<void> {
  const before = readProductCost(mark)
  const crowd: Worker[] = []
  for (let number = 0; number < people; number += 1) {
    const user = await copyFirstAdmin(database.connection, stack.admin.email, {
      role: 'user',
      mustChangePassword: false,
    })
    const { recordingId } = await storeLongCall(database, user.id, { minutes: callMinutes, seed: number + 1 })
    const person = createPerson({ ...user, password: chosenPassword, url: stack.url, number })
    if (!(await person.signIn())) throw new Error('A person could not sign in')
    crowd.push({ person, recordingId, events: await openEvents(stack.url, person.token()) })
  }
  const watch = watchProductCost(mark)
  const endMs = performance.now() + seconds * 1000
  const waits = await Promise.all(
    crowd.map((each, index) => work(each, { endMs, delayMs: (index * pauseMs) / people })),
  )
  const cost = watch.stop()
  for (const { events } of crowd) events.close()
  const calls = waits.flat()
  const [server = 0, stored = 0] = servingRoles.map(
    (role) => (cost[role]?.memoryBytes ?? 0) - (before[role]?.memoryBytes ?? 0),
  )
  const share = (100 * sumCpu(cost, [...servingRoles])) / seconds
  console.log(
    [
      `${people} people at work: ${(share / people).toFixed(2)}% of a core each`,
      `${megabytes(server / people)} each in the server, ${megabytes(stored / people)} in the database, at their peak`,
      `${calls.length} calls, of which 95% were answered within ${p95(calls).toFixed(0)} ms`,
    ].join(', '),
  )
}

/** Repeatedly lists the library, opens a call and reports what was heard. Returns how long each request took, in milliseconds. */
async function work(
  { person, recordingId }: Worker,
  { endMs, delayMs }: { endMs: number; delayMs: number },
): Promise<number[]> {
  const waits: number[] = []
  async function call(method: string, path: string, body?: unknown) {
    const began = performance.now()
    const { status } = await person.call(method, path, { body })
    if (status >= 400 || status === 0) throw new Error(`${method} ${path} responded with ${status}`)
    waits.push(performance.now() - began)
  }
  await sleep(delayMs)
  for (let round = 0; performance.now() < endMs; round += 1) {
    const began = performance.now()
    await call('GET', api.library.list.path)
    if (round % 2 === 0) {
      await call('GET', api.recordings.get.path.replace(':id', recordingId))
      const span = [round * 1000, round * 1000 + 900]
      await call('POST', api.review.addHeard.path.replace(':id', recordingId), { channels: [[span], [span]] })
    }
    await sleep(Math.max(0, pauseMs - (performance.now() - began)))
  }
  return waits
}
