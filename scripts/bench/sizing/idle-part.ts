import { setTimeout as sleep } from 'node:timers/promises'
import { describeMemory, megabytes, sumCpu, sumMemory } from './figures.ts'
import type { Bench } from './bench.ts'
import { readProductCost, watchProductCost } from './product-cost.ts'

/** What starts with the product has ended by then. */
const settleMs = 60_000
const measuredMs = 30_000

/** Prints the memory and CPU of a product that nobody uses. */
export async function measureIdle({ mark }: Bench): Promise<void> {
  await sleep(settleMs)
  const watch = watchProductCost(mark)
  await sleep(measuredMs)
  const spent = watch.stop()
  const cost = readProductCost(mark)
  const shares = Object.entries(spent).map(([role, { cpuSeconds }]) => `${role} ${shareOf(cpuSeconds)}`)
  console.log(`at rest: ${megabytes(sumMemory(cost))} (${describeMemory(cost)})`)
  console.log(`at rest: ${shareOf(sumCpu(spent))} of a core (${shares.join(', ')})`)
}

function shareOf(cpuSeconds: number): string {
  return `${((100_000 * cpuSeconds) / measuredMs).toFixed(1)}%`
}
