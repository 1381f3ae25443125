import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { sourcePackage } from '../build-whisper.mjs'
import { makeBillOfMaterials } from './bill-of-materials.ts'
import { describeThisRelease, upgradeInfoFile } from '../upgrade/upgrade-info.ts'
import { isShipped, isUsedPackageFile, listPackages, shippedPaths } from './contents.ts'
import { collectNotices, formatNotices } from './notices.ts'
import { writeChecksums } from './write-checksums.ts'

interface AssembleOptions {
  /** Folder of the repository, with packages installed and everything built. */
  root: string
  /** Target folder; replaced if it exists. */
  folder: string
  version: string
  hasOwnFfmpeg: boolean
}

/** Copies an installation into `folder`: the product, its Node, its packages, the addon, the web app, the demo models. */
export async function assembleRelease({ root, folder, version, hasOwnFfmpeg }: AssembleOptions): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const path of shippedPaths) await copy({ root, folder, path, isWanted: isShipped })
  const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const packages = listPackages(lock, { arch: process.arch, hasOwnFfmpeg })
  // An optional package may be absent.
  for (const path of packages.filter((each) => existsSync(join(root, each)))) {
    // Packages in nested node_modules are in the list themselves.
    const isWanted = (file: string) => !file.startsWith(`${path}/node_modules/`) && isUsedPackageFile(file)
    await copy({ root, folder, path, isWanted })
  }
  await copyAddon(root, folder)
  await copyFile(join(import.meta.dirname, 'awaz.sh'), join(folder, 'awaz'))
  await chmod(join(folder, 'awaz'), 0o755)
  // With this file beside it, scripts/bootstrap.mjs installs and builds nothing.
  await writeFile(join(folder, 'RELEASE'), `${version} linux-${process.arch}\n`)
  const sources = [{ ...sourcePackage, license: 'MIT' }]
  const bill = makeBillOfMaterials({ lockfile: lock, packages, version, sources })
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`)
  const notices = formatNotices(await collectNotices(root, packages))
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices)
  await writeFile(join(folder, upgradeInfoFile), `${JSON.stringify(describeThisRelease(version), undefined, 2)}\n`)
  await writeChecksums(folder)
  // A strict umask at build time must not lock out the user who runs the release.
  execFileSync('chmod', ['-R', 'a+rX', folder])
}

interface CopyOptions {
  root: string
  folder: string
  path: string
  isWanted: (path: string) => boolean
}

async function copy({ root, folder, path, isWanted }: CopyOptions) {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  await cp(join(root, path), target, { recursive: true, filter: (source) => isWanted(relative(root, source)) })
}

async function copyAddon(root: string, folder: string) {
  const target = join(folder, 'node_modules/.awaz')
  await mkdir(target, { recursive: true })
  for (const name of ['whisper.node', 'whisper.json']) {
    await copyFile(join(root, 'node_modules/.awaz', name), join(target, name))
  }
  await copyFile(join(root, 'node_modules/.awaz/whisper-sources/LICENSE'), join(target, 'LICENSE-whisper.cpp'))
}
