import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectDatabase } from '#data/connect.ts'
import { signInAsFirstAdmin } from '#testing/api-calls.ts'
import { startStack } from '#testing/stack.ts'
import { measureDisk } from './disk-part.ts'
import { measureIdle } from './idle-part.ts'
import { measurePeople } from './people-part.ts'
import { measureSound } from './sound-part.ts'

/**
 * Measures what an installation on the embedded database takes: memory at rest, memory and CPU of people at work, CPU and memory of transcription and
 * translation, and the disk of an hour of sound. The figures of docs/sizing.md.
 *
 * Options: `--people 100` at work for `--seconds 60`; `--hours 10` of calls on the disk; `--sound FILE` (default: the demo call) is transcribed
 * `--copies 10` times; `--model FOLDER` imports a speech model for it, in place of the demo models.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      people: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '60' },
      hours: { type: 'string', default: '10' },
      copies: { type: 'string', default: '10' },
      sound: { type: 'string', default: join(import.meta.dirname, '../../../models/demo/sample-call.mp3') },
      model: { type: 'string' },
    },
  })
  const mark = await mkdtemp(join(tmpdir(), 'awaz-sizing-'))
  const modelsDir = values.model === undefined ? undefined : importModel(values.model, mark)
  const stack = await startStack({
    TMPDIR: mark,
    RATE_SIGNIN_PER_MINUTE: '100000',
    RATE_UPLOAD_PER_HOUR: '100000',
    MAX_CONNECTIONS_PER_ADDRESS: '10000',
    ...(modelsDir && { MODELS_DIR: modelsDir }),
  })
  const database = await connectDatabase({
    mongodbUri: (await readFile(join(stack.dataDir, 'db/uri'), 'utf8')).trim(),
  })
  const token = await signInAsFirstAdmin(stack.url, stack.dataDir)
  const bench = { stack, database, mark, token }
  console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`)
  try {
    await measureIdle(bench)
    await measureSound(bench, { path: values.sound, copies: Number(values.copies) })
    await measureDisk(bench, { hours: Number(values.hours) })
    await measurePeople(bench, { people: Number(values.people), seconds: Number(values.seconds) })
  } finally {
    await database.close()
    await stack.stop()
    await rm(mark, { recursive: true, force: true })
  }
}

/** Imports a model as an administrator does. Returns the folder of models. */
function importModel(folder: string, mark: string): string {
  const modelsDir = join(mark, 'models')
  const { status, stderr } = spawnSync(process.execPath, ['scripts/awaz.ts', 'models', 'import', folder], {
    env: { ...process.env, MODELS_DIR: modelsDir, AWAZ_ENV_FILE: '' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return modelsDir
}
