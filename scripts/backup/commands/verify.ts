import type { Config } from '#data/config.ts'
import { runWithStatus } from '../../cli/interruptible.ts'
import { readKeys, type BackupOptionValues } from '../options.ts'
import { describeDamagedDocuments, describeFaultyAudio } from './describe.ts'
import { createDecrypter } from '../read/archive-key.ts'
import { verifyBackup, type VerificationResult } from '../read/verify-backup.ts'

/** `awaz backup verify FILE`. Returns 1 where anything is damaged or missing, and 130 where a signal ended it. */
export async function verify(
  path: string,
  { values, config }: { values: BackupOptionValues; config: Config },
): Promise<number> {
  const decrypter = createDecrypter(await readKeys(values, config.backup))
  return runWithStatus(
    async ({ progress, signal }) => {
      progress.begin('Verifying files')
      const onProgress = (done: number, total: number) => progress.update(done, total)
      const verified = await verifyBackup({ path, decrypter, signal, onProgress })
      progress.end()
      return report(path, verified)
    },
    { interrupted: 'Interrupted; the backup was not verified.' },
  )
}

function report(path: string, { problems, checked }: VerificationResult): number {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) return 1
  if (!checked) {
    console.log(`${path} and its files are unchanged. Without a key they were not opened.`)
    return 0
  }
  const { files, database } = checked.manifest
  const documents = database.collections.reduce((sum, collection) => sum + collection.documents, 0)
  const faults = describeFaultyAudio(checked.manifest) + describeDamagedDocuments(checked.manifest)
  console.log(`${path} is whole: ${documents} documents, ${files.length} files.${faults}`)
  return 0
}
