import { setTimeout as wait } from 'node:timers/promises'
import type { ReplicaSet, SetMember } from '../replica-set/replica-set.ts'
import { randomBetween, randomItem } from '../plan.ts'
import type { Fault, FaultOutcome } from './context.ts'

const awayMs = { min: 2_000, max: 8_000 }
const pauseMs = { min: 4_000, max: 20_000 }
/** Long enough for the primary to take writes that no other member has. */
const aloneMs = 3_000

/** Makes a fault of a replica set, which is skipped when the product uses the embedded database. */
function onSet(breakSet: (set: ReplicaSet, random: () => number) => Promise<FaultOutcome>): Fault {
  return async ({ replicaSet, random }) => replicaSet && breakSet(replicaSet, random)
}

/** Kills the primary with SIGKILL, and starts it again after some seconds. */
export const killPrimary = onSet(async (set, random) => {
  const primary = await set.primary()
  const brokenAtMs = performance.now()
  await primary.process.kill()
  await wait(randomBetween(random, awayMs.min, awayMs.max))
  await primary.process.start()
  return { what: `kill -9 primary (${primary.name})`, brokenAtMs, healedAtMs: brokenAtMs }
})

/** Makes the primary step down by force. */
export const stepDown = onSet(async (set) => {
  const brokenAtMs = performance.now()
  await set.stepDown()
  return { what: 'step down', brokenAtMs, healedAtMs: brokenAtMs }
})

/** Stops a random member with SIGSTOP, then continues it. */
export const pauseMember = onSet(async (set, random) => {
  const member = randomItem(random, set.members)
  const durationMs = randomBetween(random, pauseMs.min, pauseMs.max)
  const brokenAtMs = performance.now()
  await whileStopped([member], () => wait(durationMs))
  return { what: `stop ${member.name} ${(durationMs / 1000).toFixed(1)} s`, brokenAtMs, healedAtMs: brokenAtMs }
})

/** Stops both secondaries so that only the primary has its latest writes, kills it and continues them: those writes are rolled back. */
export const rollBack = onSet(async (set) => {
  const primary = await set.primary()
  const others = set.members.filter((member) => member !== primary)
  const brokenAtMs = performance.now()
  await whileStopped(others, async () => {
    await wait(aloneMs)
    await primary.process.kill()
  })
  const healedAtMs = performance.now()
  await set.primary()
  await primary.process.start()
  return { what: `rollback of ${primary.name}`, brokenAtMs, healedAtMs }
})

/** Disconnects a random member from the network, then reconnects it. */
export const cutMember = onSet(async (set, random) => {
  const member = randomItem(random, set.members)
  const durationMs = randomBetween(random, pauseMs.min, pauseMs.max)
  const brokenAtMs = performance.now()
  member.setOnline(false)
  try {
    await wait(durationMs)
  } finally {
    member.setOnline(true)
  }
  return { what: `cut ${member.name} ${(durationMs / 1000).toFixed(1)} s`, brokenAtMs, healedAtMs: brokenAtMs }
})

async function whileStopped(members: SetMember[], work: () => Promise<unknown>): Promise<void> {
  for (const { process } of members) process.signal('SIGSTOP')
  try {
    await work()
  } finally {
    for (const { process } of members) process.signal('SIGCONT')
  }
}
