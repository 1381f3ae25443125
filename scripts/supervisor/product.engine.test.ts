import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#data/config.ts'
import { connectDatabase } from '#data/connect.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { openEvents } from '#testing/event-stream.ts'
import { isEndurance, roundCount } from '#testing/rounds.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { openCliDatabase } from '../admin/database.ts'

const root = dirname(dirname(import.meta.dirname))
const node = process.execPath
const launches = {
  npm: ['npm', 'start'],
  bootstrap: [node, 'scripts/bootstrap.mjs', 'scripts/start.ts'],
  supervisor: [node, 'scripts/start.ts'],
}
const endsWithinMs = 10_000
let shared: Product | undefined

interface Product {
  url: string
  dataDir: string
  child: ChildProcess
  output: () => string
}

afterAll(() => shared && end(shared))

/** Kills every process of a product and removes its data folder. */
async function end({ dataDir }: Product): Promise<void> {
  for (const pid of processesOf(dataDir)) process.kill(pid, 'SIGKILL')
  await vi.waitUntil(() => processesOf(dataDir).length === 0, { timeout: 5000 })
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

async function start([command = '', ...args]: string[], env: NodeJS.ProcessEnv = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-product-'))
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, GATE_REQUIRES_2FA: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { url: '', dataDir, child, output: () => output }
}

/** Starts a product for one test. */
async function startOwn(launcher: keyof typeof launches): Promise<Product> {
  const product = await start(launches[launcher])
  onTestFinished(() => end(product))
  return untilServed(product)
}

/** Returns the product shared by tests that leave it serving, once it has announced its address and its engine runs. */
async function useShared(): Promise<Product> {
  shared ??= await start(launches.supervisor, { SPEECH_MODEL: 'demo-speech', TRANSLATION_MODEL: 'demo-translator' })
  const { output } = await untilServed(shared)
  await vi.waitFor(() => expect(output()).toContain('"supervisor","msg":"Models: '), { timeout: 30_000, interval: 50 })
  const isEngineReady = () => output().lastIndexOf('"engine ready"') > output().lastIndexOf('"engine ended ')
  await vi.waitUntil(isEngineReady, { timeout: 30_000, interval: 50 })
  return shared
}

async function untilServed(product: Product): Promise<Product> {
  const found = () => /running at (http:[^\s"]+)/.exec(product.output())?.[1]
  await vi.waitFor(() => expect(found()).toBeDefined(), { timeout: 120_000, interval: 100 })
  product.url = found() ?? ''
  return product
}

/** Returns every process that uses this data folder, from npm to the database. */
function processesOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProc(name, 'environ').includes(`DATA_DIR=${dataDir}`))
    .map(Number)
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function findProcess({ dataDir }: Product, script: string): number {
  const pid = processesOf(dataDir).find((candidate) => {
    const [, ...args] = readProc(String(candidate), 'cmdline').split('\0')
    return args.some((arg) => arg.endsWith(script)) && !args.some((arg) => arg.endsWith('bootstrap.mjs'))
  })
  if (!pid) throw new Error(`No process runs ${script}`)
  return pid
}

async function signIn({ url, dataDir }: Product): Promise<string> {
  const [email = '', password = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
  return (await post(`${url}/api/auth/signin`, { email, password })).access_token
}

async function post(url: string, body: object) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return z.object({ access_token: z.string() }).parse(await answer.json())
}

/** Opens connections that must not delay the shutdown: an event stream, one kept alive after a response, one without a request. */
async function openIdleConnections(product: Product) {
  const stream = await openEvents(product.url, await signIn(product))
  await fetch(`${product.url}/healthz`)
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return stream
}

function isPortFree(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )
}

async function runCommand({ dataDir }: Product, ...args: string[]): Promise<string> {
  const command = spawn(node, ['scripts/awaz.ts', ...args], { cwd: root, env: { ...process.env, DATA_DIR: dataDir } })
  let output = ''
  for (const stream of [command.stdout, command.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const [status] = await once(command, 'exit')
  if (status !== 0) throw new Error(output)
  return output
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const
const pairs = (['npm', 'bootstrap', 'supervisor'] as const).flatMap((launcher) =>
  signals.map((signal) => [signal, launcher] as const),
)
/** Covers every signal and every launcher in `npm test`; running all pairs takes a minute and a half of CPU time. */
const someOfEach: typeof pairs = [
  ['SIGTERM', 'npm'],
  ['SIGINT', 'bootstrap'],
  ['SIGHUP', 'supervisor'],
  ['SIGKILL', 'npm'],
]
const cases = isEndurance ? pairs : someOfEach

test.each(cases)(
  '%s to %s ends everything within ten seconds and frees the port',
  { tags: ['rounds'] },
  async (signal, launcher) => {
    const product = await startOwn(launcher)
    await openIdleConnections(product)
    const startedAt = performance.now()
    product.child.kill(signal)
    await vi.waitFor(() => expect(processesOf(product.dataDir)).toEqual([]), { timeout: endsWithinMs, interval: 50 })
    expect(await isPortFree(product.url)).toBe(true)
    console.log(`${signal} to ${launcher}: all gone after ${Math.round(performance.now() - startedAt)} ms`)
  },
)

test.each(['server/main.ts', 'engine/main.ts', 'embedded-db/main.ts'])(
  'the product serves again within ten seconds at the same port after %s was killed',
  { tags: ['rounds'] },
  async (script) => {
    const product = await useShared()
    for (let round = 1; round <= roundCount(3); round += 1) {
      const pid = findProcess(product, script)
      const startedAt = performance.now()
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => expect(findProcess(product, script)).not.toBe(pid), { interval: 20 })
      const isReady = async () => expect((await fetch(`${product.url}/readyz`)).status).toBe(200)
      await vi.waitFor(isReady, { interval: 50 })
      const tookMs = performance.now() - startedAt
      console.log(`${script} killed: ready again after ${Math.round(tookMs)} ms`)
      expect(tookMs).toBeLessThan(10_000)
    }
  },
)

test('the log names the models, its level is changed while it runs, and a server that stays stopped is replaced', async () => {
  const product = await useShared()
  const isWelcomed = () => expect(product.output()).toContain('"supervisor","msg":"DEMO models: ')
  await vi.waitFor(isWelcomed, { timeout: 30_000, interval: 50 })
  expect(product.output()).toContain('"supervisor","msg":"Models: Awaz demo speech model, Awaz demo transl')
  const levels = await runCommand(product, 'log-level', 'debug', '--for', '30m')
  expect(levels).toMatch(/^server .* debug {2}.* UTC\nengine .* debug {2}.* UTC$/m)
  expect(product.output().match(/"to":"debug","msg":"the log level was changed"/g)).toHaveLength(2)
  const client = await new MongoClient((await readFile(join(product.dataDir, 'db', 'uri'), 'utf8')).trim()).connect()
  const event = await client.db().collection('audit_events').findOne({ action: 'log.level' })
  await client.close()
  expect(event).toMatchObject({ outcome: 'success', actor: 'command line', details: 'debug for 30 min' })
  process.kill(findProcess(product, 'server/main.ts'), 'SIGSTOP')
  const isServed = async () => {
    const answer = await fetch(`${product.url}/readyz`, { signal: AbortSignal.timeout(500) })
    expect(answer.status).toBe(200)
  }
  await vi.waitFor(isServed, { timeout: 15_000, interval: 100 })
})

test('a port in use is reported once and fails the start', async () => {
  const first = await useShared()
  const second = spawn(node, ['scripts/start.ts'], {
    cwd: root,
    env: { ...process.env, PORT: new URL(first.url).port, HOST: '127.0.0.1', DATA_DIR: join(first.dataDir, 'second') },
  })
  let output = ''
  second.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [status] = await once(second, 'exit')
  expect(status).toBe(1)
  expect(output).toMatch(/server cannot be started: The server cannot listen: .*EADDRINUSE.*Choose another PORT/)
})

test('a second start on the same data folder is refused, and commands still reach the first', async () => {
  const first = await useShared()
  const run = (...args: string[]) =>
    spawn(node, args, { cwd: root, env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: first.dataDir } })
  const second = run('scripts/start.ts')
  let output = ''
  second.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  expect(await once(second, 'exit')).toEqual([1, null])
  expect(output).toContain('is in use by another process')
  const command = run('scripts/awaz.ts', 'admin', 'list')
  expect(await once(command, 'exit')).toEqual([0, null])
})

test('data of a newer version is refused by server, engine and commands, which say so', async () => {
  const dataDir = await temporaryFolder()
  const { uri, stop } = await openCliDatabase(readConfig({ DATA_DIR: dataDir }), { canCreate: true })
  const database = await connectDatabase({ mongodbUri: uri })
  await createSystemFactRepository(database.connection).set('data_version', '99')
  await database.close()
  await stop()
  const refusal = 'The data was written by a newer Awaz (data version 99'
  const command = spawn(node, ['scripts/awaz.ts', 'admin', 'list'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
  })
  let told = ''
  command.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  expect(await once(command, 'exit')).toEqual([1, null])
  expect(told).toContain(refusal)

  const again = spawn(node, ['scripts/start.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir },
  })
  let output = ''
  again.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  expect(await once(again, 'exit')).toEqual([1, null])
  expect(output).toContain(refusal)
  expect(output).toContain('`awaz upgrade --back`, or restore a backup')
})
