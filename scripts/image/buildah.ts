import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Works as root without a container engine, user namespaces or kernel file systems of its own. */
const builder = ['--isolation', 'chroot', '--network', 'host']

export interface Buildah {
  /** Runs a command of buildah. Answers what it printed; throws with its errors. */
  run: (...args: string[]) => string
  /** A new container of an image, or of `scratch`; answers its name and the folder of its root file system. */
  open: (image: string) => { name: string; root: string }
  /** Builds a Dockerfile; what it prints is shown. */
  build: (args: string[]) => void
}

/** buildah with images and containers in `folder` alone. */
export function createBuildah(folder: string): Buildah {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  function run(...args: string[]) {
    return execFileSync('buildah', [...storage, ...args], { encoding: 'utf8' }).trim()
  }
  function open(image: string) {
    const name = run('from', '--pull-never', image)
    return { name, root: run('mount', name) }
  }
  function build(args: string[]) {
    const { status } = spawnSync('buildah', [...storage, 'bud', ...builder, '--format', 'docker', ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status !== 0) throw new Error('The image could not be built; the reason stands above.')
  }
  return { run, open, build }
}
