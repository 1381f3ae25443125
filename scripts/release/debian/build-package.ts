import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { formatChangelog, formatControl } from './control.ts'
import { describeTree } from './describe-tree.ts'

/** Compresses a package of 308 MB to 89 MB in 7 s on one core; gzip to 109 MB in 11 s, zstd -12 to 88 MB in 15 s, -19 to 79 MB in 180 s. */
const compression = ['-Zzstd', '-z9']
const maintainerScripts = ['preinst', 'postinst', 'prerm', 'postrm']

interface PackageOptions {
  /** Folder of the repository. */
  root: string
  /** Root folder of the package, with the release in opt/awaz. The other files are added to it. */
  tree: string
  /** Path of the package to build. */
  file: string
  version: string
  architecture: string
  maintainer: string
  /** Modification time of every file in the package, so that the same commit produces the same package. */
  time: Date
}

/** Throws an Error with a message for the user where this machine has no dpkg-deb. */
export function requireDpkgDeb(): void {
  if (spawnSync('dpkg-deb', ['--version']).status === 0) return
  throw new Error(
    'A Debian package is made by dpkg-deb, which was not found. Use a Debian or Ubuntu, or leave out --deb for an archive.',
  )
}

/** Builds the Debian package of a release. */
export async function buildDebianPackage(options: PackageOptions): Promise<void> {
  const { root, tree, file, version, architecture, maintainer, time } = options
  const packaging = join(root, 'packaging')
  const place = '. "$0/service.sh" && place_files "$0" "$1" /usr/lib/systemd/system /usr/bin'
  execFileSync('sh', ['-euc', place, packaging, tree])
  await writeCopyright(root, tree)
  const changelog = formatChangelog({ version, maintainer, time })
  await writeFile(join(tree, 'usr/share/doc/awaz/changelog.gz'), gzipSync(changelog, { level: 9 }))
  const { md5sums, ...description } = await describeTree(tree)
  const control = join(tree, 'DEBIAN')
  await mkdir(control)
  await writeFile(join(control, 'control'), formatControl({ version, architecture, maintainer, ...description }))
  await writeFile(join(control, 'md5sums'), md5sums)
  await copyFile(join(packaging, 'debian/templates'), join(control, 'templates'))
  for (const name of maintainerScripts) {
    await copyFile(join(packaging, 'debian', name), join(control, name))
    await chmod(join(control, name), 0o755)
  }
  // The build's umask is not the target's, and dpkg-deb rejects the permissions of a strict one.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', tree])
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(time.getTime() / 1000)) }
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function writeCopyright(root: string, tree: string) {
  const folder = join(tree, 'usr/share/doc/awaz')
  await mkdir(folder, { recursive: true })
  const licence = await readFile(join(root, 'LICENSE'), 'utf8')
  const head = await readFile(join(root, 'packaging/debian/copyright'), 'utf8')
  await writeFile(join(folder, 'copyright'), `${head}${machineReadable(licence)}`)
}

/** Returns the paragraph of a licence in Debian's machine-readable format, in which empty lines hold a dot. */
function machineReadable(licence: string): string {
  const [, holder = '', text = ''] = /^Copyright \(c\) (.*)\n+([^]*)/m.exec(licence) ?? []
  const lines = text.trimEnd().split('\n')
  return ['Files: *', `Copyright: ${holder}`, 'License: Expat', ...lines.map((line) => ` ${line || '.'}`), ''].join(
    '\n',
  )
}
