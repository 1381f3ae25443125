import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** Reserved for uploads while a recording is decoded, in addition to the audio store's reserve for the database: 256 MiB. */
const uploadReserveBytes = 256 * 1024 * 1024
/** The reserve below which decoding is aborted; lower, because uploads continue during decoding. */
const minReserveBytes = 64 * 1024 * 1024
/** File in an attempt's folder that holds the number of bytes its samples will take. */
const claimName = 'decoded-bytes'
const sampleNames = ['pcm.s16le.part', 'pcm.s16le']

export interface DecodeDiskSpace {
  /** The attempt's folder, next to those of other attempts. */
  workDir: string
  needBytes: number
  /** Returns the free bytes of the volume beyond the reserve for the database. */
  freeBytes: () => Promise<number>
  signal: AbortSignal
  /** Interval of checks while others decode. Default 2 s. */
  pollMs?: number
  /** Maximum time to wait for others. Default 30 minutes. */
  maxWaitMs?: number
}

/** Returns the size of a recording's samples as `decodeAudio` writes them. */
export function decodedBytes({ durationMs, channels }: { durationMs: number; channels: number }): number {
  return Math.ceil((durationMs * sampleRate) / 1000) * 2 * (channels === 2 ? 2 : 1)
}

/**
 * Resolves when the samples fit on the disk in addition to what other attempts on this host have yet to write, and waits for those. Throws
 * `disk_full` if there is not enough space even without them.
 */
export async function claimDiskSpace(request: DecodeDiskSpace): Promise<void> {
  const { workDir, needBytes, signal, pollMs = 2_000, maxWaitMs = 30 * 60_000 } = request
  const claimPath = join(workDir, claimName)
  // An attempt that claims again keeps its place among the others.
  await writeFile(claimPath, String(needBytes), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const claimedAt = (await stat(claimPath)).mtimeMs
  const until = performance.now() + maxWaitMs
  for (;;) {
    const free = (await request.freeBytes()) - uploadReserveBytes
    const others = await sumEarlierClaims(workDir, claimedAt)
    if (needBytes + others <= free) return
    if (others === 0 || performance.now() > until) throw diskFullError(needBytes)
    await wait(pollMs, undefined, { signal })
  }
}

/** Returns a signal that aborts with `disk_full` if the disk fills up during decoding, say by uploads, and a function that stops checks. */
export function watchDiskSpace({ freeBytes, needBytes, pollMs = 1_000 }: Omit<DecodeDiskSpace, 'workDir' | 'signal'>) {
  const full = new AbortController()
  const timer = setInterval(() => void check(), pollMs)
  async function check() {
    const free = await freeBytes().catch(() => Infinity)
    if (free < minReserveBytes) full.abort(diskFullError(needBytes))
  }
  return { signal: full.signal, stop: () => clearInterval(timer) }
}

/** Returns what attempts with earlier claims have yet to write. They do not count this one, so that no two wait for each other. */
async function sumEarlierClaims(workDir: string, claimedAt: number): Promise<number> {
  let sum = 0
  const tempDir = dirname(workDir)
  for (const name of await readdir(tempDir)) {
    const folder = join(tempDir, name)
    const claim = await stat(join(folder, claimName)).catch(() => null) // no attempt, or it has since ended
    const isEarlier = claim && (claim.mtimeMs < claimedAt || (claim.mtimeMs === claimedAt && folder < workDir))
    if (folder === workDir || !isEarlier) continue
    const claimed = Number(await readFile(join(folder, claimName), 'utf8').catch(() => '0'))
    sum += Math.max(0, claimed - (await sumSizes(folder)))
  }
  return sum
}

async function sumSizes(folder: string): Promise<number> {
  const sizes = await Promise.all(
    sampleNames.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function diskFullError(needBytes: number): AppError {
  const message = `The disk has too little room to read this recording: it takes ${Math.ceil(needBytes / 1024 / 1024)} MB`
  return new AppError('disk_full', message, {
    help: 'Delete recordings you no longer need, or tell your administrator, and try again.',
  })
}
