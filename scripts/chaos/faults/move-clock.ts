import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { randomItem } from '../plan.ts'
import type { Fault } from './context.ts'

const hourMs = 3_600_000
const jumps = [
  { name: '1 h back', offsetMs: -hourMs },
  { name: '1 h ahead', offsetMs: hourMs },
  { name: '1 day back', offsetMs: -24 * hourMs },
  { name: '1 day ahead', offsetMs: 24 * hourMs },
]
/** Long enough for work to end while the clock is moved. */
const movedMs = 6_000

/** Sets the clock of every Node process of the product (moved-clock.ts), and later sets it back. */
export const moveClock: Fault = async ({ product, random }) => {
  const { name, offsetMs } = randomItem(random, jumps)
  const brokenAtMs = performance.now()
  writeFileSync(product.clockFile, `${offsetMs}`)
  try {
    await wait(movedMs)
  } finally {
    writeFileSync(product.clockFile, '0')
  }
  const what = `clock ${name} for ${movedMs / 1000} s`
  return { what, brokenAtMs, healedAtMs: brokenAtMs, mayEndSessions: true }
}
