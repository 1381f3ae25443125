// Tries out an installation, given as JSON, as a user would: start, sign in, transcribe, stop, start, find everything again. Runs in its
// own network namespace: scripts/image-test.ts.
import assert from 'node:assert/strict'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { changePassword, readPage, readRecording, signIn, transcribe, translate, waitUntilReady } from './client.ts'
import { runContained, startContainer, type Container, type Installation } from './container.ts'

const uid = 10_001
const call = join(import.meta.dirname, '../../models/demo/sample-call.mp3')
const newPassword = 'Brave.Teal.7!Waves'
const maxStartMs = 60_000
/** Minimum grace period of orchestrators; compose.yaml grants 60 s. */
const maxStopMs = 10_000

const installation = JSON.parse(process.argv[2] ?? '') as Installation // written by scripts/image-test.ts
const dataDir = await mkdtemp(join(tmpdir(), 'awaz-image-data-'))
await chown(dataDir, uid, uid)

let running: Container | undefined

try {
  assert.deepEqual(Object.keys(networkInterfaces()), ['lo'], 'There must be no network')
  await assertContained()
  const first = await start()
  const [email = '', password = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
  await changePassword(await signIn(email, password), password, newPassword)
  const token = await signIn(email, newPassword)
  assert.match(await readPage(), /<script/, 'The web app must be served')
  const transcribeStart = performance.now()
  const { id, text } = await transcribe(token, call)
  const transcribeMs = performance.now() - transcribeStart
  assert.match(text, /hello my brother/)
  assert.match(await translate(token, 'پیسې سبا راوړه'), /money/)
  if (installation.healthcheck) {
    const { code, output } = await runContained(installation, dataDir, installation.healthcheck)
    assert.equal(code, 0, `The health check must pass: ${output}`)
  }
  const stopMs = await stop(first.container)

  const second = await start()
  const kept = await readRecording(await signIn(email, newPassword), id)
  assert.equal(kept.text, text, 'The transcript must be there after a restart')
  assert.ok(kept.audio.equals(await readFile(call)), 'The audio must be there after a restart')
  await stop(second.container)

  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  console.log(
    `ok   ${installation.name}: start ${seconds(first.ms)}, demo call ${seconds(transcribeMs)}, stop ${seconds(stopMs)}, ` +
      `start again ${seconds(second.ms)}`,
  )
} catch (error) {
  // The product's output says more than the failed expectation.
  console.error(running?.output() ?? '')
  throw error
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function start(): Promise<{ container: Container; ms: number }> {
  const startMs = performance.now()
  const container = startContainer(installation, dataDir)
  running = container
  await container.untilPrinted(/running at http/)
  await waitUntilReady(maxStartMs)
  return { container, ms: performance.now() - startMs }
}

async function stop(container: Container): Promise<number> {
  const startMs = performance.now()
  const code = await container.terminate()
  const ms = performance.now() - startMs
  assert.equal(code, 0, 'SIGTERM must end it without a fault')
  assert.ok(ms <= maxStopMs, `SIGTERM must end it within ${maxStopMs / 1000} s; it took ${Math.round(ms)} ms`)
  return ms
}

/** Checks the sandbox: no privileges, only /data and /tmp writable, no build tools. */
async function assertContained() {
  const script = `id -u; grep CapBnd /proc/self/status; for f in / /app /opt/awaz /etc /var/tmp /dev; do touch $f/x 2>/dev/null && echo "wrote $f"
    done; touch /data/x && rm /data/x; touch /tmp/x; command -v gcc g++ make python3 && echo tools; true`
  const { output } = await runContained(installation, dataDir, ['/bin/sh', '-c', script])
  assert.match(output, /^10001\nCapBnd:\s+0+\n$/, 'It must run without rights on a read-only root, without build tools')
}
