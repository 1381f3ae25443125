import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import { readConfig, type Config } from '#data/config.ts'
import { runBackup } from './commands/backup.ts'
import { listBackups } from './commands/list.ts'
import { prune } from './commands/prune.ts'
import { rehearse } from './commands/rehearse.ts'
import { verify } from './commands/verify.ts'
import { backupOptionDefinitions } from './options.ts'
import { withCommandName } from '../cli/command-name.ts'

const usage = `Usage: npm run awaz -- backup DIR|-       backs up into a folder, or to standard output; Awaz may run
       npm run awaz -- backup list DIR    lists the backups of a folder
       npm run awaz -- backup prune DIR   deletes old backups of a folder
       npm run awaz -- backup verify FILE
                                          reads every byte of a backup and names each damaged file
       npm run awaz -- backup rehearse FILE
                                          restores a backup into a scratch folder, starts it there, compares, and removes it

  --passphrase-file FILE   encrypts with the passphrase in the file, or opens with it
  --recipient age1…        encrypts for the owner of this public key; may be repeated
  --identity FILE          opens with the private key (AGE-SECRET-KEY-1…) in the file
  --unencrypted            does not encrypt
  --models                 includes the weights of models
  --scratch DIR            where to rehearse (default: the folder of temporary files)
  --check-all              hashes every file of the folder that the backup shares, and replaces damaged ones; without it one in 61
  --json                   list and rehearse: prints JSON
  --prune                  then deletes old backups, as prune does: BACKUP_KEEP_DAILY, BACKUP_KEEP_WEEKLY, BACKUP_KEEP_MONTHLY

A backup holds the database at one moment, every recording of it, secrets, queued mail, pages and choices of models. In a folder,
audio that an earlier backup holds is not copied again. DIR is BACKUP_DIR where none is given; settings that begin with BACKUP_ stand for
the options. npm run awaz -- restore FILE restores one, or the sound of single recordings.`

/** `awaz backup ...`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: backupOptionDefinitions })
  const config = values.help ? undefined : readConfig(process.env)
  const [first, second, ...others] = config ? [positionals[0] ?? config.backup.folder, ...positionals.slice(1)] : []
  if (!config || first === undefined || others.length > 0) {
    console.log(withCommandName(usage))
    return values.help ? 0 : 1
  }
  if (first === 'list') return listBackups(requireFolder(second, config), values)
  if (first === 'prune') return prune(requireFolder(second, config), config)
  if (first === 'rehearse') return rehearse(requireFile(second), { values, config })
  if (first === 'verify') return verify(requireFile(second), { values, config })
  if (second !== undefined)
    throw new AppError('invalid_input', `There is no command "backup ${first}".`, { help: usage })
  return runBackup(first === '-' ? first : resolve(first), { values, config })
}

function requireFolder(path: string | undefined, { backup: { folder: configured } }: Config): string {
  const folder = path ?? configured
  if (folder === undefined) throw new AppError('invalid_input', 'Please name the folder of the backups.')
  return resolve(folder)
}

function requireFile(path: string | undefined): string {
  if (path === undefined) throw new AppError('invalid_input', 'Please name the archive: awaz-….tar.age or awaz-….tar.')
  return resolve(path)
}
