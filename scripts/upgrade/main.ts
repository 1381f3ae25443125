import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import { readConfig } from '#data/config.ts'
import { listRestorePoints } from '#data/restore-points/restore-points.ts'
import { checkUpgrade } from './check-upgrade.ts'
import { describePoint } from './describe.ts'
import { goBack } from './go-back.ts'
import { withCommandName } from '../cli/command-name.ts'

const usage = `Usage: npm run awaz -- upgrade --check FOLDER   says what an upgrade to the release unpacked in FOLDER would do; changes nothing
       npm run awaz -- upgrade --list           lists the restore points, which upgrades make of the embedded database
       npm run awaz -- upgrade --back [NAME]    puts one back, by default the newest; Awaz must be stopped

  --key FILE   public key (PEM) of the release's maker; its signature is checked before anything of it is read or run
  --unsigned   in place of --key, for a release that you made yourself
  --yes        goes back without a question

An upgrade is the start of a newer Awaz on the same data: docs/upgrading.md.`

const options = {
  check: { type: 'string' },
  list: { type: 'boolean', default: false },
  back: { type: 'boolean', default: false },
  key: { type: 'string' },
  unsigned: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** `awaz upgrade ...`. Returns 1 if an upgrade would fail, after printing the reasons, or if the user did not agree to go back. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const { check, list, back, key, unsigned, yes } = values
  const chosen = [check !== undefined, list, back].filter(Boolean).length
  if (values.help || chosen !== 1 || positionals.length > (back ? 1 : 0)) {
    console.log(withCommandName(usage))
    return values.help ? 0 : 1
  }
  const config = readConfig(process.env)
  if (check !== undefined) return checkUpgrade(resolve(check), { config, keyFile: key, isUnsignedAccepted: unsigned })
  if (config.mongodbUri !== undefined) {
    throw new AppError('conflict', 'Restore points are made of the embedded database, and MONGODB_URI is set.', {
      help: 'Restore a backup: docs/backup.md.',
    })
  }
  if (back) return goBack(config, { name: positionals[0], isAgreed: yes })
  const points = await listRestorePoints(config.dataDir)
  for (const point of points) console.log(describePoint(point))
  if (points.length === 0) console.log(`There is no restore point in ${config.dataDir}.`)
  return 0
}
