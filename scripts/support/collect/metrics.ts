import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemClock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createHostSamples } from '#server/features/system/metrics/host-samples.ts'
import { createWorkSamples } from '#server/features/system/metrics/work-samples.ts'
import { createHostFacts } from '#server/features/system/state/host-facts.ts'
import { createWorkFacts } from '#server/features/system/state/work-facts.ts'
import { localAddress } from '../../doctor/checks/server.ts'
import { anyOf, fields, listOf, number, oneOf, pattern, version } from '../allow-list.ts'
import type { SupportFile } from '../archive.ts'
import { labelWords } from '../vocabulary.ts'

interface MetricsContext {
  connection: DatabaseConnection
  catalogIds: readonly string[]
  isRunning: boolean
}

interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

const labelNames = [
  'part',
  'check',
  'kind',
  'code',
  'model',
  'language',
  'certainty',
  'outcome',
  'state',
  'folder',
  'address',
]
const processLabels = [
  'method',
  'endpoint',
  'status',
  'le',
  'quantile',
  'version',
  'major',
  'minor',
  'patch',
  'space',
  'type',
]
const timeoutMs = 15_000

/** Returns the metrics of the running server, or if it cannot be reached, those from the database and the disks. */
export async function describeMetrics(
  config: Config,
  { connection, catalogIds, isRunning }: MetricsContext,
): Promise<SupportFile> {
  // Otherwise another instance may answer at HOST and PORT.
  const running = isRunning ? await readRunning(config) : undefined
  const series = running ?? (await readStored(config, connection))
  const text = anyOf([oneOf([...labelWords, ...catalogIds]), pattern(/\d{1,4}(?:\.\d{1,3})?|\+Inf/), version])
  const labels = fields(Object.fromEntries([...labelNames, ...processLabels].map((name) => [name, text])))
  const shape = fields({
    from: oneOf(['server', 'database']),
    series: listOf(fields({ name: pattern(/(?:awaz|process|nodejs)_[a-z\d_]{1,80}/), labels, value: number })),
  })
  const about = 'metrics of the running server, or those that the database and the disks have (docs/monitoring.md)'
  return { name: 'metrics', about, shape, value: { from: running ? 'server' : 'database', series } }
}

async function readRunning(config: Config): Promise<Series[] | undefined> {
  const { metricsToken } = config
  const headers = metricsToken === undefined ? {} : { Authorization: `Bearer ${metricsToken}` }
  try {
    const response = await fetch(`${localAddress(config)}/metrics`, { headers, signal: AbortSignal.timeout(timeoutMs) })
    return response.ok ? parseMetrics(await response.text()) : undefined
  } catch {
    return undefined
  }
}

function parseMetrics(text: string): Series[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text]) => [key, text ?? '']),
    ),
    value: Number(value),
  }))
}

async function readStored(config: Config, connection: DatabaseConnection): Promise<Series[]> {
  const queue = openQueue(connection)
  const events = createAuditEventRepository(connection)
  const readWork = createWorkSamples(queue, createWorkFacts(queue))
  const readHost = createHostSamples(createHostFacts({ config, connection, events, clock: systemClock }))
  const samples = [...(await readWork()), ...(await readHost())]
  return samples.flatMap(({ name, values }) => values.map(({ labels = {}, value }) => ({ name, labels, value })))
}
