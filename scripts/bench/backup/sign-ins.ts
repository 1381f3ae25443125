import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { lowerPriority } from '#data/lower-priority.ts'
import { callApi, chosenPassword, signInAsFirstAdmin } from '#testing/api-calls.ts'
import { startServerProcess } from '#testing/processes.ts'

const awaz = join(import.meta.dirname, '..', '..', 'awaz.ts')
const calmMs = 20_000
/** Between two sign-ins: nobody signs in without a pause. */
const pauseMs = 250

export interface SignInOptions {
  dataDir: string
  uri: string
  /** Where the backup is written. */
  folder: string
  passphrase: string
}

export interface SignInTimes {
  /** In milliseconds; infinite for one that failed. */
  calm: number[]
  during: number[]
}

/**
 * Measures sign-ins to a running server, one after another at the real password cost: first while nothing else happens, then during a
 * backup that runs as a scheduled one does, in a low-priority process.
 */
export async function measureSignIns({ dataDir, uri, folder, passphrase }: SignInOptions): Promise<SignInTimes> {
  const env = { RATE_SIGNIN_PER_MINUTE: '10000' }
  const server = await startServerProcess({ dataDir, database: { uri, dbName: 'awaz' }, env })
  try {
    const [email = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
    await signInAsFirstAdmin(server.url, dataDir)
    const json = { email, password: chosenPassword }
    const signIn = () => callApi(z.unknown(), `${server.url}/api/auth/signin`, { json })
    const calm = await measureUntil(signIn, wait(calmMs))
    const passphraseFile = join(dataDir, 'passphrase')
    await writeFile(passphraseFile, passphrase)
    const args = [folder, '--passphrase-file', passphraseFile]
    const during = await measureUntil(signIn, backUp(args, { DATA_DIR: dataDir, MONGODB_URI: uri }))
    return { calm, during }
  } finally {
    await server.end('SIGTERM')
  }
}

async function backUp(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [awaz, 'backup', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  lowerPriority(child)
  const [errors] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`The backup ended with ${child.exitCode}: ${errors}`)
}

/** Repeats an action until other work ends. Returns how long each took, in milliseconds; infinite where it failed. */
async function measureUntil(act: () => Promise<unknown>, work: Promise<unknown>): Promise<number[]> {
  const over = new AbortController()
  const watched = work.finally(() => over.abort())
  const times: number[] = []
  do {
    const startedMs = performance.now()
    times.push(
      await act().then(
        () => performance.now() - startedMs,
        () => Number.POSITIVE_INFINITY,
      ),
    )
    await wait(pauseMs)
  } while (!over.signal.aborted)
  await watched
  return times
}
