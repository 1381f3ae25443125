// npm run bench -- rest: what the product does while nobody uses it, on the embedded database with the demo models.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startStack } from '#testing/stack.ts'
import { listProcesses, signalProcess, type Role } from '../../chaos/process-table.ts'
import { readProductCost } from '../sizing/product-cost.ts'
import { measureLatency } from './latency.ts'
import { isWrite, printCommands, type CommandCounts } from './figures.ts'

const Counts = z.record(z.string(), z.number())
/** The processes that open the database. */
const counted: Role[] = ['supervisor', 'server', 'engine']
/** Time limit of a process to write its counts. */
const readTimeoutMs = 5_000

/**
 * Prints the commands, by process and collection, and the CPU of a product at rest. Options: `--settle 90`, seconds until it is taken to be at
 * rest; `--seconds 60`, for which it is measured; `--latency` measures how soon work is noticed that comes at rest.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      settle: { type: 'string', default: '90' },
      seconds: { type: 'string', default: '60' },
      latency: { type: 'boolean' },
    },
  })
  const mark = await mkdtemp(join(tmpdir(), 'awaz-rest-'))
  const folder = join(mark, 'counts')
  await mkdir(folder)
  const stack = await startStack({
    TMPDIR: mark,
    AWAZ_COMMAND_COUNTS: folder,
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'command-counter.ts')} --disable-warning=ExperimentalWarning`,
  })
  try {
    await wait(Number(values.settle) * 1000)
    const before = await readCounts(mark, folder)
    const cpuBefore = readProductCost(mark)
    await wait(Number(values.seconds) * 1000)
    const cpuAfter = readProductCost(mark)
    const after = await readCounts(mark, folder)
    for (const role of [...counted, 'database'] as const) {
      const cpuSeconds = (cpuAfter[role]?.cpuSeconds ?? 0) - (cpuBefore[role]?.cpuSeconds ?? 0)
      const share = `${cpuSeconds.toFixed(2)} s of CPU, ${((100 * cpuSeconds) / Number(values.seconds)).toFixed(2)}%`
      const commands = subtract(after.get(role) ?? {}, before.get(role) ?? {})
      const writes = sum(commands, isWrite)
      console.log(
        `${role}: ${sum(commands) - writes} reads, ${writes} writes in ${values.seconds} s; ${share} of a core`,
      )
      printCommands(commands)
    }
    if (values.latency) await measureLatency(stack)
  } finally {
    await stack.stop()
    await rm(mark, { recursive: true, force: true })
  }
}

async function readCounts(mark: string, folder: string): Promise<Map<Role, CommandCounts>> {
  const processes = listProcesses(mark).filter(({ role }) => counted.includes(role))
  const counts = processes.map(async ({ pid, role }): Promise<[Role, CommandCounts]> => {
    const path = join(folder, `${pid}.json`)
    await rm(path, { force: true })
    signalProcess(pid, 'SIGUSR2')
    return [role, Counts.parse(JSON.parse(await readWhenWritten(path)))]
  })
  return new Map(await Promise.all(counts))
}

async function readWhenWritten(path: string): Promise<string> {
  const endMs = performance.now() + readTimeoutMs
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return text
    if (performance.now() > endMs) throw new Error(`${path} was not written`)
    await wait(10)
  }
}

function subtract(after: CommandCounts, before: CommandCounts): CommandCounts {
  const differences = Object.entries(after).map(([key, count]) => [key, count - (before[key] ?? 0)] as const)
  return Object.fromEntries(differences.filter(([, count]) => count > 0))
}

function sum(commands: CommandCounts, isIncluded: (command: string) => boolean = () => true): number {
  return Object.entries(commands).reduce((total, [key, count]) => total + (isIncluded(key) ? count : 0), 0)
}
