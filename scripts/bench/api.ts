// npm run bench -- api: latency of /healthz while 50 people sign in at once, throughput of everyday calls, and whether signing in
// takes as long for unknown e-mails as for known ones. Real password cost (bcrypt 12), embedded database, one client process.
import { randomUUID } from 'node:crypto'
import { api } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const signIns = 50
const probeMs = 1000
const callsPerEndpoint = 1000
const concurrency = 10
const timedAttempts = 12

export async function run(): Promise<void> {
  const server = await startTestServer({ config: { bcryptCost: 12, logLevel: 'silent' } })
  try {
    await benchHealth(server)
    await benchCalls(server)
    await benchEnumeration(server)
  } finally {
    await server.close()
  }
}

async function benchHealth(server: TestServer): Promise<void> {
  const { email, password } = await server.createUser()
  const ask = () => timed(() => server.call(api.system.health))
  await probeWhile(ask, waitMs(probeMs))
  const idle = await probeWhile(ask, waitMs(probeMs))
  const burst = Promise.all(
    Array.from({ length: signIns }, () => timed(() => server.call(api.auth.signIn, { body: { email, password } }))),
  )
  const busy = await probeWhile(ask, burst)
  const waits = (await burst).toSorted((a, b) => a - b)
  const ratio = median(busy) / median(idle)
  console.log(`healthz idle: median ${ms(median(idle))}, p99 ${ms(percentile(idle, 0.99))} (${idle.length} calls)`)
  console.log(
    `healthz during ${signIns} sign-ins: median ${ms(median(busy))}, p99 ${ms(percentile(busy, 0.99))} (${busy.length} calls)`,
  )
  console.log(
    `ratio of medians ${ratio.toFixed(2)} (at most 5); sign-ins: median ${ms(median(waits))}, p95 ${ms(percentile(waits, 0.95))}, last ${ms(waits.at(-1) ?? 0)}`,
  )
}

async function benchCalls(server: TestServer): Promise<void> {
  const { accessToken: token } = await server.createSignedIn()
  const words = Array.from({ length: 50 }, (_, n) => `word ${n}`)
  const body = { threats: words, sentiment: words, intent: words, custom: words }
  await server.call(api.keywords.replace, { body, token })
  const endpoints: [string, EndpointSpec][] = [
    ['profile', api.profile.get],
    ['recordings', api.recordings.list],
    ['keywords (200)', api.keywords.list],
  ]
  for (const [name, spec] of endpoints) {
    const latencies: number[] = []
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let n = 0; n < callsPerEndpoint / concurrency; n += 1) {
          latencies.push(await timed(() => server.call(spec, { token } as never))) // specs in a list lose their types
        }
      }),
    )
    const perSecond = (callsPerEndpoint / (performance.now() - startedAt)) * 1000
    console.log(
      `${name}: ${perSecond.toFixed(0)} requests/s, p50 ${ms(median(latencies))}, p99 ${ms(percentile(latencies, 0.99))}`,
    )
  }
}

async function benchEnumeration(server: TestServer): Promise<void> {
  const known: number[] = []
  const unknown: number[] = []
  for (let n = 0; n < timedAttempts; n += 1) {
    const { email } = await server.createUser()
    const attempt = (address: string) =>
      timed(() => server.call(api.auth.signIn, { body: { email: address, password: 'Wrong-moon7' } }))
    known.push(await attempt(email))
    unknown.push(await attempt(`${randomUUID()}@example.org`))
  }
  const ratio = median(known) / median(unknown)
  console.log(
    `sign-in, wrong password: known ${ms(median(known))}, unknown ${ms(median(unknown))}, ratio ${ratio.toFixed(3)}`,
  )
}

async function probeWhile(ask: () => Promise<number>, task: Promise<unknown>): Promise<number[]> {
  const over = new AbortController()
  void task.finally(() => over.abort())
  const latencies: number[] = []
  while (!over.signal.aborted) latencies.push(await ask())
  return latencies
}

function waitMs(duration: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, duration)
  })
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await task()
  return performance.now() - startedAt
}

function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function median(values: number[]): number {
  return percentile(values, 0.5)
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`
}
