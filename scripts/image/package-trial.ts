// Tries out an installed Debian package in a root file system, as on a real machine: the service of the unit, a transcript, an upgrade, a
// removal, a purge without an answer and one with it. Runs in its own network namespace: scripts/image-test.ts.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { changePassword, readRecording, signIn, transcribe, waitUntilReady } from './client.ts'
import { watchContainer, type Container } from './container.ts'
import { makeLaterPackage, readUnit, runInRoot } from './debian-package.ts'
import { spawnInRoot } from './in-root.ts'

const call = join(import.meta.dirname, '../../models/demo/sample-call.mp3')
const newPassword = 'Brave.Teal.7!Waves'
const maxStartMs = 60_000
const laterRelease = '99.0.0'

const [root = '', file = '', answer = ''] = process.argv.slice(2) // written by scripts/image-test.ts
let service: Container | undefined

try {
  const later = makeLaterPackage(file, laterRelease)

  await appendFile(join(root, 'etc/awaz/awaz.env'), '\nGATE_REQUIRES_2FA=false\n')
  await startService()
  const shown = await runInRoot(root, 'cat /var/lib/awaz/initial-admin-password')
  const [email = '', password = ''] = shown.split('\n')
  await changePassword(await signIn(email, password), password, newPassword)
  const { id, text } = await transcribe(await signIn(email, newPassword), call)
  assert.match(text, /hello my brother/)
  await runInRoot(root, 'awaz models import /opt/awaz/models/demo/demo-speech-q8_0.bin')
  await stopService()

  const installed = await describeData()
  assert.match(installed, /\/var\/lib\/awaz\/models\/.*bin/)
  await runInRoot(root, `apt-get install ./${basename(later)}`)
  assert.equal(await describeData(), installed, 'An upgrade must not touch data, models and settings')
  assert.match(await runInRoot(root, 'awaz --version'), new RegExp(laterRelease))
  await startService()
  const kept = await readRecording(await signIn(email, newPassword), id)
  assert.equal(kept.text, text, 'The transcript must be there after an upgrade')
  assert.ok(kept.audio.equals(await readFile(call)), 'The audio must be there after an upgrade')
  await stopService()

  const upgraded = await describeData()
  await runInRoot(root, 'apt-get remove awaz')
  for (const path of ['opt/awaz', 'usr/bin/awaz', 'usr/lib/systemd/system/awaz.service'])
    assert.ok(!existsSync(join(root, path)), `A removal must remove /${path}`)
  assert.equal(await describeData(), upgraded, 'A removal must keep data and settings')
  // Saves the state of dpkg and debconf, for a second purge from the same state.
  await runInRoot(root, 'mkdir /var/before && cp -a /var/lib/dpkg /var/cache/debconf /var/before')
  assert.match(await runInRoot(root, 'apt-get purge awaz'), /stay in \/var\/lib\/awaz/)
  assert.equal(await describeData(), upgraded, 'A purge without an answer must keep data and settings')
  await runInRoot(root, 'mkdir -p /opt && ln -s awaz-1.0.0-linux-x64 /opt/awaz')
  await assert.rejects(runInRoot(root, `dpkg --install ./${basename(later)}`), /install\.sh --uninstall, which keeps/)

  await runInRoot(
    root,
    'rm -r /var/lib/dpkg /var/cache/debconf && cd /var/before && mv dpkg /var/lib && mv debconf /var/cache',
  )
  await runInRoot(root, answer)
  assert.match(await runInRoot(root, 'apt-get purge awaz'), /Everything is deleted/)
  for (const path of ['var/lib/awaz', 'etc/awaz']) assert.ok(!existsSync(join(root, path)), `/${path} must be deleted`)
} catch (error) {
  // The product's output says more than the failed expectation.
  console.error(service?.output() ?? '')
  throw error
}

/** Starts the command that systemd would, with its user and variables. */
async function startService() {
  const { user, env, folder, command } = readUnit(
    await readFile(join(root, 'usr/lib/systemd/system/awaz.service'), 'utf8'),
  )
  await runInRoot(root, `install -d -o ${user} -g ${user} -m 0700 /run/awaz`)
  const identity = ['--reuid', user, '--regid', user, '--init-groups']
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const child = spawnInRoot(root, ['setpriv', ...identity, ...rights, command], { folder, env, stderr: 'pipe' })
  service = watchContainer('service', child)
  await service.untilPrinted(/running at http/)
  await waitUntilReady(maxStartMs)
}

async function stopService() {
  assert.equal(await service?.terminate(), 0, 'SIGTERM must end it without a fault')
}

/** Lists every data and settings file with its size, permissions, owner and time. */
function describeData(): Promise<string> {
  return runInRoot(root, "find /var/lib/awaz /etc/awaz -printf '%p %s %m %u %g %T@\\n' | sort")
}
