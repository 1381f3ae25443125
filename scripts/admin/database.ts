import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'

interface CliDatabase {
  uri: string
  stop(): Promise<void>
}

interface OpenOptions {
  /** A database may be begun where there is none; otherwise that is an error, for DATA_DIR is probably another folder. */
  mayBegin: boolean
  /** What to do to begin one; ends the help of that error. */
  howToBegin?: string
}

/**
 * The database for a command: MONGODB_URI where it is set, else the embedded one. One that `npm start` runs is used as it is (its
 * address stands in DATA_DIR/db/uri); else one is started for the time of the command.
 */
export async function openCliDatabase(config: Config, { mayBegin, howToBegin }: OpenOptions): Promise<CliDatabase> {
  if (config.mongodbUri) return { uri: config.mongodbUri, stop: async () => undefined }
  const folder = join(config.dataDir, 'db')
  const running = await findRunning(join(folder, 'uri'))
  if (running) return { uri: running, stop: async () => undefined }
  const dataFile = join(folder, 'awaz.sqlite')
  if (!mayBegin && !existsSync(dataFile)) {
    throw new AppError('not_found', `There is no database in ${config.dataDir}.`, {
      help: ["Set DATA_DIR to the server's data folder", howToBegin].filter(Boolean).join(', or '),
    })
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const runtimeDir = await makeRuntimeFolder()
  const engine = await startEmbeddedDatabase({
    dataFile,
    socketPath: join(runtimeDir, 'db.sock'),
  })
  async function stop() {
    await engine.stop()
    await rm(runtimeDir, { recursive: true, force: true })
  }
  return { uri: engine.uri, stop }
}

/** The address in the file, if anybody listens there. */
async function findRunning(file: string): Promise<string | undefined> {
  const uri = (await readFile(file, 'utf8').catch(() => '')).trim()
  const socketPath = /^mongodb:\/\/([^/]+)/.exec(uri)?.[1]
  if (!socketPath) return undefined
  const isListening = await new Promise<boolean>((resolve) => {
    const socket = connect(decodeURIComponent(socketPath))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.end())
  })
  return isListening ? uri : undefined
}
