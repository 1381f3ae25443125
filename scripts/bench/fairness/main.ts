// npm run bench -- fairness [part of a name]: what attacks on the running product cost everybody else. Each attack runs against
// a separate product, as `npm start` runs it with its default limits; calm and attack phases alternate, so that other load on the
// machine slows both.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPeople } from '../../chaos/people.ts'
import type { Person } from '../../chaos/person.ts'
import { startProduct, type Product } from '../../chaos/product.ts'
import { openVolume } from '../../chaos/volume.ts'
import { attacks } from './attacks.ts'
import { exportsOfLongCall } from './long-exports.ts'
import { countStatuses, type Attack, type ExtraCall } from './attack.ts'
import { isNearIdle, judge, median, type Measured, type Timings } from './judge.ts'
import { timeCalls, watchMemory, type MemoryWatch } from './measure.ts'

/** Time for the garbage from startup to be collected and its pages to be given back. */
const warmUpMs = 20_000
const idleMs = 5_000
const calmMs = 15_000
const attackMs = 30_000
/** Pause after an attack, until its work no longer uses the CPU. */
const restMs = 5_000
const attackPhases = 2

export async function run(args: string[]): Promise<void> {
  const chosen = [...attacks, exportsOfLongCall].filter(({ name }) =>
    name.toLowerCase().includes((args[0] ?? '').toLowerCase()),
  )
  if (chosen.length === 0) throw new Error(`There is no attack with "${args[0]}" in its name`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  let missed = 0
  for (const attack of chosen) {
    await attack.prepare?.()
    missed += await benchAttack(attack)
  }
  console.log(missed === 0 ? 'Every limit was reached.' : `${missed} limits were NOT REACHED.`)
  process.exitCode = missed === 0 ? 0 : 1
}

/** Resolves with the number of limits that were not met. */
async function benchAttack(attack: Attack): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-fairness-'))
  const volume = await openVolume(folder, attack.diskBytes)
  const product = await startProduct({ folder, dataDir: volume.dataDir })
  function cleanUp() {
    product.destroy()
    volume.unmount()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  process.once('exit', cleanUp)
  try {
    const [victim, attacker] = await createPeople(product, 2)
    if (!victim || !attacker) throw new Error('Nobody could be made an account')
    const extra = (await attack.setUp?.({ dataDir: product.dataDir, attacker, victim })) ?? []
    const { measured, happened } = await measure(attack, product, { victim, attacker, extra })
    console.log(`\n${attack.name}`)
    for (const text of happened) console.log(`  (${text})`)
    const refusals = [...measured.calm.refusals, ...measured.during.refusals]
    if (refusals.length > 0) console.log(`  (calls of the other user that failed: ${countStatuses(refusals)})`)
    const verdicts = judge(measured)
    for (const { text, isReached } of verdicts) console.log(`  ${isReached ? 'REACHED    ' : 'NOT REACHED'}  ${text}`)
    return verdicts.filter(({ isReached }) => !isReached).length
  } finally {
    cleanUp()
    process.off('exit', cleanUp)
  }
}

async function measure(
  attack: Attack,
  product: Product,
  { victim, attacker, extra }: { victim: Person; attacker: Person; extra: ExtraCall[] },
) {
  const calm: Timings = noTimings()
  const during: Timings = noTimings()
  const happened: string[] = []
  const memory: MemoryWatch = watchMemory(product)
  await timeCalls(victim, noTimings(), { isOver: after(warmUpMs) })
  memory.take()
  await timeCalls(victim, noTimings(), { isOver: after(idleMs) })
  const idleBytes = median(memory.take())
  let peakBytes = 0
  let backAfterMs: number | undefined
  try {
    for (let phase = 0; phase < attackPhases; phase += 1) {
      await timeCalls(victim, calm, { isOver: after(calmMs), extra })
      memory.take()
      const over = new AbortController()
      const target = { url: product.url, attacker, password: attacker.password, phase }
      const isOver = after(attackMs)
      const attacking = attack.run(target, over.signal)
      attacking.catch(() => undefined) // reported below, when the phase is over
      await wait(500)
      await timeCalls(victim, during, { isOver, extra })
      over.abort()
      happened.push(await attacking)
      peakBytes = Math.max(peakBytes, ...memory.take())
      await wait(restMs)
    }
    await timeCalls(victim, calm, { isOver: after(calmMs), extra })
    if (attack.maxGrowthBytes !== undefined) backAfterMs = await waitUntilNearIdle(memory, idleBytes)
  } finally {
    memory.stop()
  }
  const { maxGrowthBytes } = attack
  const measured: Measured = { idleBytes, peakBytes, maxGrowthBytes, backAfterMs, calm, during }
  return { measured, happened }
}

/** Resolves with how long it took until memory was near idle again; Infinity if it was not after two minutes. */
async function waitUntilNearIdle(memory: MemoryWatch, idleBytes: number): Promise<number> {
  const startMs = performance.now()
  const isOver = after(120_000)
  while (!isOver()) {
    memory.take()
    await wait(1_000)
    if (isNearIdle(median(memory.take()), idleBytes)) return performance.now() - startMs
  }
  return Number.POSITIVE_INFINITY
}

function noTimings(): Timings {
  return { signInMs: [], uploadMs: [], extraMs: new Map(), refusals: [] }
}

function after(durationMs: number): () => boolean {
  const endMs = performance.now() + durationMs
  return () => performance.now() >= endMs
}
