import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkRelease, type ReleaseCheck } from './release-files.ts'
import { withCommandName } from '../cli/command-name.ts'

const usage = `Usage: npm run awaz -- verify-release FOLDER [--key FILE] [--installed]

Compares every file of an unpacked release with its checksums, and with --key their signature by that public key (Ed25519, PEM).

  --key FILE    public key of the release's maker
  --installed   Awaz was installed in FOLDER: its settings (.env) and its data may lie there

Ends with 1 where a file is damaged, missing or not of the release, or the signature is missing or wrong.`

const maxListed = 20

/** `awaz verify-release`. */
export async function run(args: string[]): Promise<number> {
  const options = {
    key: { type: 'string' },
    installed: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [folder, ...others] = positionals
  if (values.help || folder === undefined || others.length > 0) {
    console.log(withCommandName(usage))
    return values.help ? 0 : 1
  }
  const check = await checkRelease(resolve(folder), { keyFile: values.key, isInstalled: values.installed })
  for (const problem of check.problems.slice(0, maxListed)) console.error(problem)
  if (check.problems.length > maxListed) console.error(`and ${check.problems.length - maxListed} more`)
  console.log(`${describeFiles(check)} ${describeSignature(check)}`)
  if (check.added.length > 0)
    console.log(`The checksums do not cover ${check.added.join(' and ')}, which belong to this installation.`)
  return check.problems.length > 0 ? 1 : 0
}

export function describeFiles({ files, problems }: ReleaseCheck): string {
  if (problems.length > 0 && files === 0) return 'The files of the release were not compared.'
  return problems.length > 0 ? 'The release is not as it was made.' : `All ${files} files are those of the release.`
}

export function describeSignature({ signature }: ReleaseCheck): string {
  const sentences = {
    unsigned: 'It is unsigned: the checksums show damage, not who made it.',
    unchecked: 'Its signature was not checked: give --key with the public key of its maker.',
    valid: 'Its signature is by the given key.',
    invalid: 'Its signature is not by the given key.',
  }
  return sentences[signature]
}
