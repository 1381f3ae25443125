import { setTimeout as wait } from 'node:timers/promises'
import { api } from '#contract/api.ts'
import type { Person } from '../chaos/person.ts'
import { callsPerMinute, type Cluster } from './cluster.ts'

const minuteMs = 60_000
/** For the calls up to the limit, on a busy machine. */
const neededMs = 40_000
const marginMs = 100
/** Above the limit, to see where it takes effect. */
const maxCalls = callsPerMinute * 2
/** Calls at a time, half of them to each server. */
const atOnce = 10

/** Checks that limits and lockouts count what both servers were asked. Returns one sentence for each that does not. */
export async function checkLimits(
  cluster: Cluster,
  { locked, busy }: { locked: Person; busy: Person },
): Promise<string[]> {
  return [
    ...(await checkLockout(cluster, locked)),
    ...(await checkMails(cluster)),
    ...(await checkCalls(cluster, busy)),
  ]
}

/** Returns the server of a round: each in turn. */
function serverOf({ serverUrls }: Cluster, round: number): string {
  return serverUrls[round % serverUrls.length] ?? ''
}

async function post(url: string, path: string, body: object): Promise<number> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
  await response.arrayBuffer()
  return response.status
}

async function checkLockout(cluster: Cluster, { email, password }: Person): Promise<string[]> {
  const signIn = (round: number, given: string) =>
    post(serverOf(cluster, round), api.auth.signIn.path, { email, password: given })
  const statuses: number[] = []
  for (let round = 0; round < 5; round += 1) statuses.push(await signIn(round, 'Wrong-moon7'))
  for (const round of [0, 1]) statuses.push(await signIn(round, password))
  const expected = [401, 401, 401, 401, 401, 423, 423]
  return statuses.join() === expected.join()
    ? []
    : [`five wrong passwords on both servers and then the right one were answered ${statuses.join(', ')}`]
}

async function checkMails(cluster: Cluster): Promise<string[]> {
  const statuses: number[] = []
  for (let round = 0; round < 4; round += 1)
    statuses.push(await post(serverOf(cluster, round), api.auth.forgotPassword.path, { email: 'nobody@example.org' }))
  return statuses.join() === '200,200,200,429'
    ? []
    : [`four requests for a mail on both servers were answered ${statuses.join(', ')}`]
}

async function checkCalls(cluster: Cluster, person: Person): Promise<string[]> {
  const leftMs = minuteMs - (Date.now() % minuteMs)
  // The limit counts within minutes of the clock.
  if (leftMs < neededMs) await wait(leftMs + marginMs)
  const answered = await countAnswered(cluster, person)
  const isRight = answered >= callsPerMinute * 0.9 && answered <= callsPerMinute * 1.2
  return isRight ? [] : [`${answered} calls of a user were answered in a minute, at a limit of ${callsPerMinute}`]
}

/** Returns how many calls both servers answer until both refuse. */
async function countAnswered(cluster: Cluster, person: Person): Promise<number> {
  const headers = { Authorization: `Bearer ${person.token()}` }
  let answered = 0
  for (let sent = 0; sent < maxCalls; sent += atOnce) {
    const statuses = await Promise.all(
      Array.from({ length: atOnce }, async (_, index) => {
        const response = await fetch(new URL(api.profile.get.path, serverOf(cluster, index)), { headers })
        await response.arrayBuffer()
        return response.status
      }),
    )
    answered += statuses.filter((status) => status === 200).length
    if (statuses.every((status) => status === 429)) return answered
  }
  return answered
}
