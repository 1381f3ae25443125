import { execFileSync, type ChildProcess } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { debianMirror, debianSuite, unpackNpm, unpackPackage } from './base-images.ts'
import { spawnInRoot } from './in-root.ts'

const nodeVersion = '20.20.2'

/** Creates a root file system with Debian's minimal set of packages, g++, Node 20 and npm: the machine that README.md requires. */
export function makeBareRoot(root: string): void {
  const args = ['--variant=minbase', '--include=g++', debianSuite, root, debianMirror]
  execFileSync('debootstrap', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  // Debian's installer writes this file, but debootstrap does not.
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  const local = join(root, 'usr/local')
  unpackPackage(`node-linux-${process.arch}`, nodeVersion, (folder) => {
    cpSync(join(folder, 'bin'), join(local, 'bin'), { recursive: true })
  })
  unpackNpm(join(local, 'lib/node_modules'))
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates) copyFileSync(certificates, join(root, 'usr/local/share/extra-certificates.pem'))
}

/** Copies the files of a checkout that git tracks or does not ignore to /app of the root. */
export function copySources(checkout: string, root: string): void {
  const app = join(root, 'app')
  mkdirSync(app)
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: checkout })
  const tar = execFileSync('tar', ['-c', '--null', '--ignore-failed-read', '-T', '-'], {
    cwd: checkout,
    input: listed,
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  execFileSync('tar', ['-x', '-C', app], { input: tar })
}

/** Starts a command in /app of the root, as its root, with the caller's network and its own processes. */
export function spawnBare(root: string, command: string[], env: string[] = []): ChildProcess {
  const hasCertificates = process.env.NODE_EXTRA_CA_CERTS !== undefined
  const certificates = hasCertificates ? ['NODE_EXTRA_CA_CERTS=/usr/local/share/extra-certificates.pem'] : []
  return spawnInRoot(root, command, { folder: '/app', env: [...certificates, ...env] })
}
