import { spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** Mounts an empty disk of `size`, such as `2m`, over a folder until the test ends. Returns false when this user may not mount. */
export function mountSmallDisk(folder: string, size: string): boolean {
  return mount(folder, ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
}

/** Mounts a folder read-only, even for root, until the test ends. Returns false when this user may not mount. */
export function mountReadOnly(folder: string): boolean {
  return mount(folder, ['--bind', '-o', 'ro', folder, folder])
}

function mount(folder: string, args: string[]): boolean {
  if (spawnSync('mount', args).status !== 0) return false
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  return true
}
