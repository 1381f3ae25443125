// npm run release: builds dist/awaz-VERSION-linux-ARCH.tar.gz (VERSION includes the day and hash of the commit), which runs without
// network, npm, compiler or build tools.
//
//   --deb              builds the Debian package dist/awaz_VERSION_ARCH.deb instead; needs dpkg-deb, and leaves out ffmpeg as below
//   --folder DIR       writes only the release folder, from which the image is built
//   --to DIR           folder for the archive or package (default dist)
//   --sign-key FILE    signs the checksums, in the folder and beside archive and package, with this private key (Ed25519, PEM); without it,
//                      the release is unsigned
//   --without-ffmpeg   leaves out the old ffmpeg from an npm package, for systems that have a current one
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { hashFile } from '#data/hash-file.ts'
import { assembleRelease } from './release/assemble.ts'
import { buildDebianPackage, requireDpkgDeb } from './release/debian/build-package.ts'
import { debianArchitectures } from './release/debian/control.ts'
import { debianVersion, readCommit, releaseVersion } from './release/release-version.ts'
import { signChecksums, signFile } from './release/write-checksums.ts'
import { buildWebIfStale } from './web/build.ts'

const root = dirname(import.meta.dirname)
const { values } = parseArgs({
  options: {
    deb: { type: 'boolean', default: false },
    folder: { type: 'string' },
    to: { type: 'string', default: join(root, 'dist') },
    'sign-key': { type: 'string' },
    'without-ffmpeg': { type: 'boolean', default: false },
  },
})
const packageJson = z
  .object({ version: z.string() })
  .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
const commit = readCommit(root)
const version = releaseVersion(packageJson.version, commit)
const target = resolve(values.to)
const signKey = values['sign-key']

if (values.deb) requireDpkgDeb()
await buildWebIfStale(root)
if (values.folder !== undefined) await makeFolder(resolve(values.folder))
else if (values.deb) await makePackage()
else await makeArchive()

async function makeFolder(folder: string) {
  const hasOwnFfmpeg = values['without-ffmpeg'] || values.deb
  await assembleRelease({ root, folder, version, hasOwnFfmpeg })
  if (signKey !== undefined) await signChecksums(folder, signKey)
  console.log(`${folder}  ${megabytes(folder)} MB, ${signKey === undefined ? 'unsigned' : 'signed'}`)
}

async function makeArchive() {
  const folder = join(target, `awaz-${version.replace('+', '-')}-linux-${process.arch}`)
  await makeFolder(folder)
  const archive = `${folder}.tar.gz`
  execFileSync('tar', ['-czf', archive, '--owner=0', '--group=0', '-C', dirname(folder), basename(folder)])
  await finish(archive)
}

async function makePackage() {
  const architecture = debianArchitectures[process.arch] ?? process.arch
  const packageVersion = debianVersion(packageJson.version, commit)
  const file = join(target, `awaz_${packageVersion}_${architecture}.deb`)
  const tree = `${file}.tree`
  const { DEBFULLNAME = 'The Awaz authors', DEBEMAIL = 'awaz@localhost' } = process.env
  const maintainer = `${DEBFULLNAME} <${DEBEMAIL}>`
  const time = commit?.time ?? new Date()
  await rm(tree, { recursive: true, force: true })
  try {
    await mkdir(join(tree, 'opt'), { recursive: true })
    await makeFolder(join(tree, 'opt/awaz'))
    await buildDebianPackage({ root, tree, file, version: packageVersion, architecture, maintainer, time })
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
  await finish(file)
}

async function finish(file: string) {
  const { sha256 } = await hashFile(file)
  await writeFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`)
  // The checksums inside do not cover the maintainer scripts of a package, which run as root.
  if (signKey !== undefined) await signFile(`${file}.sha256`, signKey)
  console.log(`${file}  ${megabytes(file)} MB`)
}

function megabytes(path: string): number {
  return Number.parseInt(execFileSync('du', ['-sm', path], { encoding: 'utf8' }), 10)
}
