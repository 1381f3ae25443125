// npm run release: dist/awaz-VERSION-linux-ARCH.tar.gz (VERSION with day and hash of the commit), which runs without network, npm, compiler or build tools.
//
//   --folder DIR       writes only that folder; the image is built from it
//   --sign-key FILE    signs the checksums with this private key (Ed25519, PEM); without it the release is unsigned
//   --without-ffmpeg   leaves out the old ffmpeg of an npm package, for systems that have a current one
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { assembleRelease } from './release/assemble.ts'
import { releaseVersion } from './release/release-version.ts'
import { signChecksums } from './release/write-checksums.ts'
import { buildWebIfStale } from './web/build.ts'

const root = dirname(import.meta.dirname)
const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    'sign-key': { type: 'string' },
    'without-ffmpeg': { type: 'boolean', default: false },
  },
})
const packageJson = z
  .object({ version: z.string() })
  .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
const version = releaseVersion(root, packageJson.version)

await buildWebIfStale(root)
const folder = resolve(values.folder ?? join(root, 'dist', `awaz-${version.replace('+', '-')}-linux-${process.arch}`))
await assembleRelease({ root, folder, version, hasOwnFfmpeg: values['without-ffmpeg'] })
const signKey = values['sign-key']
if (signKey !== undefined) await signChecksums(folder, signKey)
console.log(`${folder}  ${megabytes(folder)} MB, ${signKey === undefined ? 'unsigned' : 'signed'}`)

if (values.folder === undefined) {
  const archive = `${folder}.tar.gz`
  execFileSync('tar', ['-czf', archive, '--owner=0', '--group=0', '-C', dirname(folder), basename(folder)])
  const sum = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex')
  await writeFile(`${archive}.sha256`, `${sum}  ${basename(archive)}\n`)
  console.log(`${archive}  ${megabytes(archive)} MB`)
}

function megabytes(path: string): number {
  return Number.parseInt(execFileSync('du', ['-sm', path], { encoding: 'utf8' }), 10)
}
