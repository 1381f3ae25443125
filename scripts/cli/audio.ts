import { join } from 'node:path'
import { openAudioStores } from '#data/audio-store/open-audio-store.ts'
import { countAudio, moveAudio } from '#data/audio-store/move-audio.ts'
import { readConfig } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { withLock } from '#engine/models/store/lock-file.ts'
import { withCliDatabase } from '../admin/database.ts'
import { describeBytes } from '../backup/commands/describe.ts'
import { withCommandName } from './command-name.ts'
import { runWithStatus, type RunContext } from './interruptible.ts'

const usage = `Usage: npm run awaz -- audio COMMAND

  status     how many recordings are kept in the folder DATA_DIR/audio, and how many in the database (GridFS)
  move       move all into the one that AUDIO_STORE names; Awaz may run, and everything can be played meanwhile

First restart every server and engine with the new AUDIO_STORE. An interrupted move goes on where it ended when it is started again.`

type Command = (connection: DatabaseConnection, context: RunContext) => Promise<void>
const commands: Record<string, Command> = { status, move }

/** `awaz audio status|move`. */
export async function run(args: string[]): Promise<number> {
  const [name = '', ...others] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || others.length > 0) {
    console.log(withCommandName(usage))
    return args.length === 0 || args.includes('--help') ? 0 : 1
  }
  return runWithStatus(
    async (context) => {
      await withCliDatabase((connection) => command(connection, context))
      return 0
    },
    { interrupted: 'Interrupted; every recording is where it was or where it was moved to. Start it again to go on.' },
  )
}

async function status(connection: DatabaseConnection): Promise<void> {
  const config = readConfig(process.env)
  const { current, other } = await openAudioStores(config, connection)
  const [folder, gridfs] = config.audioStore === 'folder' ? [current, other] : [other, current]
  for (const [name, store] of [
    ['the folder', folder],
    ['the database', gridfs],
  ] as const) {
    const { files, bytes } = await countAudio(store)
    console.log(`In ${name}: ${files} recordings, ${describeBytes(bytes)}.`)
  }
  console.log(
    `New ones are kept in ${config.audioStore === 'folder' ? 'the folder' : 'the database'} (AUDIO_STORE=${config.audioStore}).`,
  )
}

async function move(connection: DatabaseConnection, { progress, signal }: RunContext): Promise<void> {
  const config = readConfig(process.env)
  await ensureIndexes(connection)
  const { current, other } = await openAudioStores(config, connection)
  const work = async () => {
    const total = await countAudio(other)
    progress.begin('Moving recordings')
    return moveAudio({
      from: other,
      to: current,
      signal,
      onMoved: ({ files, bytes }) => progress.update(files, total.files, describeBytes(bytes)),
    })
  }
  const { files, bytes } = await withLock(join(config.dataDir, 'audio-move'), work, { subject: 'moving recordings' })
  progress.end()
  console.log(`Moved ${files} recordings, ${describeBytes(bytes)}.`)
}
