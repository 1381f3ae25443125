import type { Config } from '#data/config.ts'
import { pruneFolder } from '../store/prune.ts'
import { assertFolderExists } from './backup-folder.ts'
import { describePruned } from './describe.ts'

/** `awaz backup prune DIR`: deletes the backups that no rule keeps, even those made by hand. Returns 1 where nothing may be deleted. */
export async function prune(folder: string, { backup: { keep } }: Config): Promise<number> {
  await assertFolderExists(folder)
  const { problem, ...pruned } = await pruneFolder(folder, keep)
  if (problem === undefined) {
    console.log(describePruned(pruned))
    return 0
  }
  console.error(`Nothing was deleted: ${problem}`)
  return 1
}
