import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { incrementCounters } from '#data/counters/counters.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { createCertificate } from '#testing/certificate.ts'
import { openEvents } from '#testing/event-stream.ts'
import { makeHeartbeat, makeJob } from '#testing/jobs.ts'
import { startKillableDatabase } from '#testing/killable-database.ts'
import { lacks } from '#testing/needs.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readCertificateEnd } from '../state/certificate.ts'

const token = 'a token of thirty characters..'
const root = join(import.meta.dirname, '..', '..', '..', '..')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function scrape(from: Pick<TestServer, 'call'> = server, headers: Record<string, string> = {}): Promise<string> {
  return (await from.call(api.system.metrics, { headers })).data
}

/** Returns the value of a series, named as in the scrape output, or undefined if it is missing. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1).replace('+Inf', 'Infinity'))
}

const audit = (action: string, outcome: 'success' | 'failure') =>
  server.services.audit.record({ action, outcome }, { ip: '', userAgent: '', requestId: '' })

test('without a token this machine reads metrics, and nobody through a proxy', async () => {
  expect(await scrape()).toContain('awaz_build_info{version="')
  for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via']) {
    const { status, error } = await server.call(api.system.metrics, { headers: { [name]: '127.0.0.1' } })
    expect([status, error.code]).toEqual([403, 'forbidden'])
  }
})

test('with a token only its holder reads metrics, also through a proxy', async () => {
  const guarded = await startTestServer({ config: { metricsToken: token } })
  onTestFinished(() => guarded.close())
  for (const authorization of [undefined, 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`]) {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization }
    expect((await guarded.call(api.system.metrics, { headers })).error.code).toBe('forbidden')
  }
  const dotted = await startTestServer({ config: { metricsToken: 'token-of-thirty.characters' } })
  onTestFinished(() => dotted.close())
  const headers = { Authorization: 'Bearer token-of-thirty.characters', 'X-Forwarded-For': '10.0.0.9' }
  expect(await scrape(dotted, headers)).toContain('awaz_check_ok')
})

test('a scrape tells the queue, the engines and what they have done', async () => {
  const { queue } = server.services.work
  const { connection } = queue
  await makeJob(queue)
  await recordHeartbeat(connection, 'able', makeHeartbeat())
  const servers = [{ address: 'http://10.0.0.5:8000', is_reachable: false }] as const
  const status = { models: [], in_flight: 0, completed: 0, failed: 1, real_time_factor: null, tokens_per_second: null }
  const speech_servers = servers.map((each) => ({ ...each, ...status, last_error: null, retry_at: null }))
  await recordHeartbeat(connection, 'unable', makeHeartbeat({}, { problem: 'no folder', speech_servers }))
  const labels = { model: 'whisper', language: 'ps' }
  for (const by of [30, 12]) await incrementCounters(connection, [{ name: 'transcribed_seconds', labels, by }])

  const text = await scrape()
  expect({
    waiting: valueOf(text, 'awaz_jobs_waiting'),
    running: valueOf(text, 'awaz_jobs_running'),
    able: valueOf(text, 'awaz_engines{state="able"}'),
    unable: valueOf(text, 'awaz_engines{state="unable"}'),
    reachable: valueOf(text, 'awaz_model_server_reachable{kind="speech",address="http://10.0.0.5:8000"}'),
    transcribed: valueOf(text, 'awaz_transcribed_seconds_total{model="whisper",language="ps"}'),
    losses: valueOf(text, 'awaz_lost_leases_total'),
    database: valueOf(text, 'awaz_check_ok{check="database"}'),
  }).toEqual({ waiting: 1, running: 0, able: 1, unable: 1, reachable: 0, transcribed: 42, losses: 0, database: 1 })
  expect(valueOf(text, 'awaz_oldest_waiting_job_seconds')).toBeGreaterThanOrEqual(0)
  expect(valueOf(text, 'awaz_database_response_seconds')).toBeGreaterThan(0)
})

test('a scrape tells disks, backups and failed sign-ins', async () => {
  expect(valueOf(await scrape(), 'awaz_backup_last_success_timestamp_seconds')).toBeUndefined()
  const other = await startTestServer({ data: { dataDir: server.config.dataDir, ...databaseOf(server) } })
  onTestFinished(() => other.close())
  await audit('backup.create', 'success')
  const madeAt = server.clock.now() / 1000
  server.clock.advance(60_000)
  await audit('backup.create', 'failure')
  await server.call(api.auth.signIn, { body: { email: 'nobody@example.org', password: 'not the password' } })
  const text = await scrape(other)
  expect(valueOf(text, 'awaz_backup_last_success_timestamp_seconds')).toBeCloseTo(madeAt, 1)
  expect(valueOf(text, 'awaz_backup_last_failed')).toBe(1)
  expect(valueOf(text, 'awaz_backup_last_rehearsal_timestamp_seconds')).toBeUndefined()
  expect(valueOf(text, 'awaz_disk_free_bytes{folder="data"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'awaz_disk_seconds_until_full')).toBe(Infinity)
})

function databaseOf({ databaseUri }: TestServer) {
  const url = new URL(databaseUri)
  const dbName = url.pathname.slice(1)
  url.pathname = '/'
  return { uri: url.href, dbName }
}

test('requests are counted by endpoint and status, not by address, and open event streams until they close', async () => {
  const user = await server.createSignedIn()
  const stream = await openEvents(server.url, user.accessToken)
  await server.call(api.recordings.get, { params: { id: '0123456789abcdef01234567' }, token: user.accessToken })
  await fetch(`${server.url}/api/nothing/secret-name`)
  const text = await scrape()
  expect(valueOf(text, 'awaz_event_streams')).toBe(1)
  const counted = 'awaz_http_requests_total{method="GET",endpoint="/api/recordings/:id",status="404"}'
  expect(valueOf(text, counted)).toBe(1)
  expect(valueOf(text, 'awaz_http_requests_total{method="GET",endpoint="unknown",status="404"}')).toBe(1)
  expect(text).not.toMatch(/secret-name|0123456789abcdef|awaz_http_requests_total\{[^}]*metrics/)
  expect(text).toContain('awaz_http_request_duration_seconds_bucket{le="0.5",endpoint="/api/recordings/:id"} 1')
  stream.close()
  await vi.waitFor(async () => expect(valueOf(await scrape(), 'awaz_event_streams')).toBe(0))
})

test('without the database a scrape says so, and tells the rest', async () => {
  const database = await startKillableDatabase()
  onTestFinished(() => database.remove())
  const data = { dataDir: await temporaryFolder(), uri: database.uri, dbName: 'metrics' }
  const cut = await startTestServer({ data })
  onTestFinished(() => cut.close())
  await database.kill()
  const text = await scrape(cut)
  expect(valueOf(text, 'awaz_metrics_read{part="work"}')).toBe(0)
  expect(valueOf(text, 'awaz_metrics_read{part="checks"}')).toBe(1)
  expect(valueOf(text, 'awaz_check_ok{check="database"}')).toBe(0)
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0)
})

test.skipIf(lacks('openssl'))('the end of the certificate at the public address is told', async () => {
  const { key, certificate } = await createCertificate(await temporaryFolder(), 'DNS:localhost,IP:127.0.0.1')
  const proxy = createServer({ key, cert: certificate }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const end = await readCertificateEnd(`https://localhost:${port}`)
  const daysLeft = ((end?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(daysLeft).toBeGreaterThan(1.9)
  expect(daysLeft).toBeLessThan(2.1)
  expect(await readCertificateEnd(`http://localhost:${port}`)).toBeUndefined()
})

test('docs/monitoring.md names every metric of Awaz with its help', async () => {
  const page = await readFile(join(root, 'docs', 'monitoring.md'), 'utf8')
  const documented = [...page.matchAll(/^\| `(awaz_\w+)(?:\{[\w,]+\})?` +\| (.+?) +\|$/gm)].map(
    ([, name, help]) => `${name} ${help}`,
  )
  const told = [...(await scrape()).matchAll(/^# HELP (awaz_\w+) (.+)$/gm)].map(([, name, help]) => `${name} ${help}`)
  expect(documented.toSorted()).toEqual(told.toSorted())
})

test.skipIf(lacks('prometheus'))('Prometheus accepts every metric', async () => {
  // The Node metrics have names, chosen by prom-client, that Prometheus advises against.
  const input = (await scrape()).replace(/^(# \w+ )?nodejs_.*\n/gm, '')
  expect(execFileSync('promtool', ['check', 'metrics'], { input }).toString()).toBe('')
})
