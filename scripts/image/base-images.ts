import { execFileSync } from 'node:child_process'
import { cpSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Buildah } from './buildah.ts'

export const debianSuite = 'bookworm'
export const debianMirror = 'http://deb.debian.org/debian'
const npmVersion = '11.6.2'

/** Debian's own slim images leave these out too. */
const slimmed = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale']

/** Builds the image `awaz-base` with debootstrap: Debian as in its slim image. */
export function makeBaseImage(buildah: Buildah): void {
  const { name, root } = buildah.open('scratch')
  execFileSync('debootstrap', ['--variant=minbase', debianSuite, root, debianMirror], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const path of slimmed)
    for (const entry of readdirSync(join(root, path))) rmSync(join(root, path, entry), { recursive: true })
  buildah.run('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', name)
  buildah.run('commit', '--rm', name, 'awaz-base')
}

/** Builds the image `awaz-node` from `awaz-base`, with Node from this checkout's package, and npm. */
export function makeNodeImage(buildah: Buildah, checkout: string): void {
  const { name, root } = buildah.open('awaz-base')
  const local = join(root, 'usr/local')
  cpSync(join(checkout, 'node_modules', `node-linux-${process.arch}`, 'bin'), join(local, 'bin'), { recursive: true })
  unpackNpm(join(local, 'lib/node_modules'))
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  trustOwnCertificates(buildah, name, root)
  buildah.run('commit', '--rm', name, 'awaz-node')
}

/** Puts npm into a folder of packages. */
export function unpackNpm(folder: string): void {
  mkdirSync(folder, { recursive: true })
  unpackPackage('npm', npmVersion, (content) => cpSync(content, join(folder, 'npm'), { recursive: true }))
}

/** Fetches a package from npm's registry, and calls `use` with the folder of its content, which is removed afterwards. */
export function unpackPackage(name: string, version: string, use: (folder: string) => void): void {
  const work = mkdtempSync(join(tmpdir(), 'awaz-package-'))
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', work], { stdio: 'ignore' })
    execFileSync('tar', ['-xzf', join(work, `${name}-${version}.tgz`), '-C', work])
    use(join(work, 'package'))
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** On a machine behind an inspecting proxy, copies its certificates, only into the image that fetches packages. */
function trustOwnCertificates(buildah: Buildah, name: string, root: string) {
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (!certificates) return
  const path = '/usr/local/share/extra-certificates.pem'
  copyFileSync(certificates, join(root, path))
  buildah.run('config', '--env', `NODE_EXTRA_CA_CERTS=${path}`, name)
}
