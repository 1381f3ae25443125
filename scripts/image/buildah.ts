import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Needs root, but no container engine, user namespaces or kernel file systems. */
const builder = ['--isolation', 'chroot', '--network', 'host']

export interface Buildah {
  /** Runs a buildah command. Returns its output; throws with its errors. */
  run: (...args: string[]) => string
  /** Creates a container from an image, or from `scratch`. Returns its name and the folder of its root file system. */
  open: (image: string) => { name: string; root: string }
  /** Builds a Dockerfile. Throws with the end of its output. */
  build: (args: string[]) => void
}

/** Returns a buildah that keeps images and containers in `folder`. */
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
    const command = [...storage, 'bud', ...builder, '--format', 'docker', ...args]
    const { status, stdout, stderr } = spawnSync('buildah', command, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (status === 0) return
    const end = `${stdout}${stderr}`.split('\n').slice(-60).join('\n')
    throw new Error(`The image could not be built:\n${end}`)
  }
  return { run, open, build }
}
