import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectOutput } from './container.ts'
import { spawnInRoot } from './in-root.ts'

/** Answers apt's questions, and keeps the trial short: no packages that are only recommended, and no sync after each file. */
const aptOptions =
  'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\nDPkg::Options:: "--force-unsafe-io";\n'
/** Folder in a root file system that holds the package, and in which its commands run. */
export const downloads = '/root'

/** Returns the lines of the code blocks in a section of a page, without comments. */
function readCommands(page: string, section: string): string[][] {
  const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? ''
  const blocks = text.match(/(?:^ {4}.+\n)+/gm) ?? []
  return blocks.map((block) =>
    block
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/\s+#.*/, '').trim()),
  )
}

/** Returns the commands of docs/deployment.md that run on the target: to install, and to answer that a purge deletes the data. */
export function readPackageCommands(page: string, file: string): { install: string[]; answer: string } {
  const [, install = [], answer = []] = readCommands(page, 'From the Debian package')
  return {
    install: install.map((line) => line.replace(/awaz_VERSION_\w+\.deb/, file)),
    answer: answer.find((line) => line.includes('debconf-set-selections')) ?? '',
  }
}

/** Copies a package and its checksum into a root file system fresh from debootstrap. Returns the package's path there. */
export function carryPackage(root: string, packages: string): string {
  for (const name of readdirSync(packages)) copyFileSync(join(packages, name), join(root, downloads, name))
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  writeFileSync(join(root, 'etc/apt/apt.conf.d/trial'), aptOptions)
  return join(root, downloads, readdirSync(packages).find((name) => name.endsWith('.deb')) ?? '')
}

/** Runs a shell command in a root file system. Resolves to its output; throws if it fails. */
export async function runInRoot(root: string, line: string): Promise<string> {
  const env = ['DEBIAN_FRONTEND=noninteractive']
  const child = spawnInRoot(root, ['sh', '-c', line], { folder: downloads, env, stderr: 'pipe' })
  const { code, output } = await collectOutput(child)
  if (code !== 0) throw new Error(`${line} ended with ${String(code)}:\n${output}`)
  return output
}

/** Creates the package of a later release from a package: the same content except for the version. Returns its path, beside the first. */
export function makeLaterPackage(file: string, release: string): string {
  const work = mkdtempSync(join(tmpdir(), 'awaz-package-'))
  try {
    const tree = join(work, 'tree')
    execFileSync('dpkg-deb', ['--raw-extract', file, tree])
    const control = join(tree, 'DEBIAN/control')
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, '$&.later'))
    writeFileSync(join(tree, 'opt/awaz/RELEASE'), `${release} linux-${process.arch}\n`)
    const later = file.replace(/_(\w+)\.deb$/, '.later_$1.deb')
    execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, later], { stdio: 'ignore' })
    return later
  } finally {
    rmSync(work, { recursive: true })
  }
}

interface ServiceCommand {
  user: string
  env: string[]
  folder: string
  command: string
}

/** Reads from a unit what systemd would start. */
export function readUnit(unit: string): ServiceCommand {
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const [user = '', folder = '', command = ''] = ['User', 'WorkingDirectory', 'ExecStart'].map(
    (name) => values(name)[0],
  )
  return { user, env: values('Environment'), folder, command }
}
