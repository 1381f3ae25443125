import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'

/** The product's data folder, on its own file system if this machine permits that. */
export interface Volume {
  dataDir: string
  /** Why the disk cannot be filled, or undefined if it can. */
  unavailableReason?: string
  /** Fills the disk. */
  fill(): void
  free(): void
  unmount(): void
}

/** Enough for the audio of a long run; a sparse file takes only what is written. */
const defaultBytes = 3 * 1024 ** 3
const blockBytes = 4096

/** Mounts a file with ext4 below `folder`. Without root or loop devices, uses a plain folder. */
export async function openVolume(folder: string, sizeBytes = defaultBytes): Promise<Volume> {
  const mountPoint = join(folder, 'volume')
  const image = join(folder, 'volume.img')
  await mkdir(mountPoint)
  const file = await open(image, 'w')
  await file.truncate(sizeBytes)
  await file.close()
  const failure =
    run('mkfs.ext4', '-q', '-m', '0', '-E', 'lazy_itable_init=0', image) ??
    run('mount', '-o', 'loop', image, mountPoint)
  const filler = join(mountPoint, 'filler')
  const dataDir = join(mountPoint, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  return {
    dataDir,
    ...(failure && { unavailableReason: failure }),
    fill: () => takeRoom(mountPoint, filler),
    free: () => rmSync(filler, { force: true }),
    unmount() {
      if (!failure) run('umount', '-l', mountPoint)
    },
  }
}

/** Runs a system program. Returns the reason for a failure in one line, or undefined. */
function run(program: string, ...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return undefined
  return `${program}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? `status ${status}`}`
}

function takeRoom(mountPoint: string, filler: string): void {
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(mountPoint)
    return bavail * bsize
  }
  let offset = 0
  for (let bytes = freeBytes(); bytes > 1024 ** 2; bytes = Math.min(bytes, freeBytes())) {
    const aligned = Math.floor(bytes / blockBytes) * blockBytes
    if (run('fallocate', '--offset', `${offset}`, '--length', `${aligned}`, filler)) bytes = aligned / 2
    else offset += aligned
  }
  writeBlocks(filler)
}

/** Writes blocks until the disk is full, to use the space that fallocate cannot allocate. */
function writeBlocks(filler: string): void {
  const file = openSync(filler, 'a')
  try {
    for (;;) writeSync(file, Buffer.alloc(blockBytes))
  } catch {
    // The disk is full, as intended.
  } finally {
    closeSync(file)
  }
}
