import { AppError } from '#contract/app-error.ts'
import { readConfig } from '#data/config.ts'
import { withCliDatabase } from '../../admin/database.ts'
import { runWithStatus } from '../../cli/interruptible.ts'
import { readKeys } from '../options.ts'
import { createDecrypter } from '../read/archive-key.ts'
import { restoreAudio, type RestoreAudioResult } from '../recordings/restore-audio.ts'

interface RestoreRecordingsValues {
  'passphrase-file'?: string | undefined
  identity?: string[] | undefined
  'skip-damaged': boolean
  recording?: string[] | undefined
  'all-damaged': boolean
}

/**
 * `awaz restore FILE --recording ID` or `--all-damaged`. Returns 0 where the audio of each recording now matches its upload, else 1, and
 * 130 where a signal ended it.
 */
export async function restoreRecordings(path: string, values: RestoreRecordingsValues): Promise<number> {
  const { recording: ids, 'all-damaged': isAll } = values
  if ((ids !== undefined && isAll) || values['skip-damaged'])
    throw new AppError('invalid_input', 'Give one of --recording, --all-damaged and --skip-damaged.')
  const config = readConfig(process.env)
  const decrypter = createDecrypter(await readKeys({ ...values, unencrypted: false }, config.backup))
  return runWithStatus(
    async ({ progress, signal }) => {
      const results: RestoreAudioResult[] = []
      try {
        await withCliDatabase((connection) =>
          restoreAudio({
            path,
            decrypter,
            config,
            connection,
            recordings: ids ?? 'damaged',
            signal,
            onStage: (stage) => progress.begin(stage),
            onProgress: (done, total) => progress.update(done, total),
            onResult: (result) => results.push(result),
          }),
        )
      } finally {
        progress.end()
        for (const result of results) report(result)
      }
      if (results.length === 0) console.log('The sound of every recording is what was uploaded.')
      return results.some(({ outcome }) => outcome === 'refused') ? 1 : 0
    },
    { interrupted: 'Interrupted; what is named above was restored. Start it again for the others.' },
  )
}

function report({ id, outcome, reason }: RestoreAudioResult): void {
  if (outcome === 'restored') console.log(`Recording ${id}: restored, as it was uploaded.`)
  else if (outcome === 'whole') console.log(`Recording ${id}: its sound is what was uploaded, and was left alone.`)
  else console.error(`Recording ${id}: not restored, ${reason}.`)
}
