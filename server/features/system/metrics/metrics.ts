import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { version } from '#data/version.ts'
import type { Readiness } from '../readiness.ts'
import { sampleOf, type MetricSample } from './metric-sample.ts'

interface MetricsDeps {
  /** The request metrics of this process. */
  requests: Registry
  readiness: Pick<Readiness, 'run'>
  readWork: () => Promise<MetricSample[]>
  readHost: () => Promise<MetricSample[]>
}

/** Prometheus gives up after 10 s. */
const readTimeoutMs = 5000

/** Creates the response of GET /metrics. Concurrent calls share one run. */
export function createMetrics({ requests, readiness, readWork, readHost }: MetricsDeps) {
  const parts = { checks: () => readChecks(readiness), work: readWork, host: readHost }
  let process: Registry | undefined
  let running: Promise<string> | undefined

  async function render(): Promise<string> {
    process ??= watchProcess() // has a small permanent cost, so only where somebody reads it
    const read = await Promise.all(
      Object.entries(parts).map(async ([part, readPart]) => ({ part, samples: await readInTime(readPart) })),
    )
    const states = read.map(({ part, samples }) => ({ labels: { part }, value: samples === undefined ? 0 : 1 }))
    const momentary = toRegistry([
      { ...sampleOf('awaz_build_info', 'Always 1', 1), values: [{ labels: { version }, value: 1 }] },
      { name: 'awaz_metrics_read', help: 'Whether a part of the metrics could be read: 1 or 0', values: states },
      ...read.flatMap(({ samples = [] }) => samples),
    ])
    return Registry.merge([process, requests, momentary]).metrics()
  }

  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    read(): Promise<string> {
      running ??= render().finally(() => (running = undefined))
      return running
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

async function readChecks(readiness: Pick<Readiness, 'run'>): Promise<MetricSample[]> {
  const { checks } = await readiness.run()
  const values = Object.entries(checks).map(([check, { ok }]) => ({ labels: { check }, value: ok ? 1 : 0 }))
  return [{ name: 'awaz_check_ok', help: 'Whether a check of /readyz passes: 1 or 0', values }]
}

/** Returns undefined if a part fails or takes too long: the others are still reported. */
async function readInTime(read: () => Promise<MetricSample[]>): Promise<MetricSample[] | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), readTimeoutMs)
  try {
    return await Promise.race([read(), timeout.promise])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function watchProcess(): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}

/** Reports a metric without values by its help and type only: prom-client would start one without labels at 0. */
function toRegistry(samples: MetricSample[]): Registry {
  const registry = new Registry()
  for (const { name, type, help, values } of samples) {
    const labelNames =
      values.length === 0 ? ['none'] : [...new Set(values.flatMap(({ labels = {} }) => Object.keys(labels)))]
    const options = { name, help, labelNames, registers: [registry] }
    const add = type === 'counter' ? new Counter(options) : new Gauge(options)
    for (const { labels = {}, value } of values) add.inc(labels, value)
  }
  return registry
}
