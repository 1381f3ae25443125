import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkRelease, type ReleaseCheck } from './release-files.ts'

const usage = `Usage: npm run awaz -- verify-release FOLDER [--key FILE]

Compares every file of an unpacked release with its checksums, and with --key their signature by that public key (Ed25519, PEM).
Ends with 1 where a file is damaged, missing or not of the release, or the signature is missing or wrong.`

const maxListed = 20

/** `awaz verify-release`. */
export async function run(args: string[]): Promise<number> {
  const options = { key: { type: 'string' }, help: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [folder, ...others] = positionals
  if (values.help || folder === undefined || others.length > 0) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  const check = await checkRelease(resolve(folder), values.key)
  for (const problem of check.problems.slice(0, maxListed)) console.error(problem)
  if (check.problems.length > maxListed) console.error(`and ${check.problems.length - maxListed} more`)
  console.log(`${describeFiles(check)} ${describeSignature(check)}`)
  return check.problems.length > 0 ? 1 : 0
}

export function describeFiles({ files, problems }: ReleaseCheck): string {
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
