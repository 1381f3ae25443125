// npm run bench -- rest: what the product does while nobody uses it, on the embedded database with the demo models.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openAsBlob } from 'node:fs'
import { z } from 'zod'
import { type Stack, startStack } from '#testing/stack.ts'
import { callApi, signInAsFirstAdmin } from '#testing/api-calls.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'
import { listProcesses, type Role, signalProcess } from '../../chaos/process-table.ts'
import { readProductCost } from '../sizing/product-cost.ts'
import { type CommandCounts, isWrite, printCommands } from './figures.ts'

const sample = join(import.meta.dirname, '../../../models/demo/sample-call.mp3')
const Uploaded = z.object({ file_id: z.string() })
const Started = z.object({ job_id: z.string() })
const Job = z.object({ created_at: z.string(), started_at: z.string().nullable(), state: z.string() })
const Message = z.object({ data: z.object({ job_id: z.string(), finished_at: z.string() }) })

/** Longer than a process stays active after a change. */
const restMs = 45_000
const rounds = 3

/** Prints how soon a job that arrives at rest begins, and how soon after its end the webhook arrives. */
async function measureLatency({ url, dataDir }: Stack): Promise<void> {
  const arrivals = new Map<string, number>()
  const receiver = await startWebhookReceiver((response, { body }) => {
    const { data } = Message.parse(JSON.parse(body))
    arrivals.set(data.job_id, Date.now() - Date.parse(data.finished_at))
    response.writeHead(204).end()
  })
  try {
    const token = await signInAsFirstAdmin(url, dataDir)
    const json = { url: receiver.url, events: ['job.finished'] }
    await callApi(z.unknown(), `${url}/api/webhooks`, { token, json })
    for (let round = 1; round <= rounds; round += 1) {
      const form = new FormData()
      form.append('audio', await openAsBlob(sample), `call ${round}.mp3`)
      const { file_id: fileId } = await callApi(Uploaded, `${url}/api/upload`, { token, form })
      await wait(restMs)
      // A different language each time, so that the work is not the same.
      const request = { file_id: fileId, language: ['ps', 'fa', 'ur'][round - 1] }
      const { job_id: id } = await callApi(Started, `${url}/api/transcribe`, { token, json: request })
      while (!arrivals.has(id)) await wait(100)
      const { created_at: createdAt, started_at: startedAt } = await callApi(Job, `${url}/api/jobs/${id}`, { token })
      const pickUpMs = Date.parse(startedAt ?? '') - Date.parse(createdAt)
      console.log(`a job that comes at rest begins after ${pickUpMs} ms; its webhook after ${arrivals.get(id)} ms`)
    }
  } finally {
    await receiver.close()
  }
}

const Counts = z.record(z.string(), z.number())
/** The processes that open the database. */
const counted: Role[] = ['supervisor', 'server', 'engine']
/** Time limit for a process to write its counts. */
const readTimeoutMs = 5_000

/**
 * Prints the commands, by process and collection, and the CPU of a product at rest. Options: `--settle 90`, seconds until it is considered
 * at rest; `--seconds 60`, how long it is measured; `--latency`, to measure how soon work that arrives at rest is noticed.
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
