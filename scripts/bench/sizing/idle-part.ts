import { setTimeout as sleep } from 'node:timers/promises'
import { describeMemory, megabytes, sumCpu, sumMemory } from './figures.ts'
import type { Bench } from './bench.ts'
import { readProductCost, watchProductCost } from './product-cost.ts'

/** What starts with the product has ended by then. */
const settleMs = 20_000
const measuredMs = 30_000

/** Prints the memory and CPU of a product that nobody uses. */
export async function measureIdle({ mark }: Bench): Promise<void> {
  await sleep(settleMs)
  const watch = watchProductCost(mark)
  await sleep(measuredMs)
  const share = (100 * sumCpu(watch.stop())) / (measuredMs / 1000)
  const cost = readProductCost(mark)
  console.log(`at rest: ${megabytes(sumMemory(cost))} (${describeMemory(cost)}), ${share.toFixed(1)}% of a core`)
}
