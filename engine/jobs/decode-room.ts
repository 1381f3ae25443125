import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** Left for uploads while a recording is decoded, above what the audio store keeps for the database: 256 MiB. */
const uploadRoomBytes = 256 * 1024 * 1024
/** While it is decoded a little less is enough: what was uploaded meanwhile. */
const leastRoomBytes = 64 * 1024 * 1024
/** Names, in an attempt's folder, how many bytes its samples will take. */
const claimName = 'decoded-bytes'
const sampleNames = ['pcm.s16le.part', 'pcm.s16le']

export interface DecodeRoom {
  /** The attempt's folder, beside those of other attempts. */
  workDir: string
  needBytes: number
  /** What the volume has free above the reserve of the database. */
  freeBytes: () => Promise<number>
  signal: AbortSignal
  /** Between two looks while others decode. Default 2 s. */
  pollMs?: number
  /** Longest wait for others. Default 30 minutes. */
  maxWaitMs?: number
}

/** Bytes of a recording's samples as `decodeAudio` writes them. */
export function decodedBytes({ durationMs, channels }: { durationMs: number; channels: number }): number {
  return Math.ceil((durationMs * sampleRate) / 1000) * 2 * Math.min(2, channels)
}

/**
 * Resolves when the samples fit on the disk beside what other attempts of this host have yet to write. Waits for those; fails with
 * `disk_full` where the room is lacking without them.
 */
export async function claimDecodeRoom(room: DecodeRoom): Promise<void> {
  const { workDir, needBytes, signal, pollMs = 2_000, maxWaitMs = 30 * 60_000 } = room
  const claimPath = join(workDir, claimName)
  await writeFile(claimPath, String(needBytes))
  const claimedAt = (await stat(claimPath)).mtimeMs
  const until = performance.now() + maxWaitMs
  for (;;) {
    const free = (await room.freeBytes()) - uploadRoomBytes
    const others = await sumEarlierClaims(workDir, claimedAt)
    if (needBytes + others <= free) return
    if (others === 0 || performance.now() > until) throw tooLittleRoom(needBytes)
    await wait(pollMs, undefined, { signal })
  }
}

/** Aborts with `disk_full` when the room runs out after all, such as by uploads. Look at it until `stop` is called. */
export function watchDecodeRoom({ freeBytes, needBytes, pollMs = 1_000 }: Omit<DecodeRoom, 'workDir' | 'signal'>) {
  const full = new AbortController()
  const timer = setInterval(() => void look(), pollMs)
  async function look() {
    const free = await freeBytes().catch(() => Infinity)
    if (free < leastRoomBytes) full.abort(tooLittleRoom(needBytes))
  }
  return { signal: full.signal, stop: () => clearInterval(timer) }
}

/** What attempts that claimed before us have yet to write. They count nothing of ours, so that nobody waits for each other. */
async function sumEarlierClaims(workDir: string, claimedAt: number): Promise<number> {
  let sum = 0
  const tempDir = dirname(workDir)
  for (const name of await readdir(tempDir)) {
    const folder = join(tempDir, name)
    const claim = await stat(join(folder, claimName)).catch(() => null) // no attempt, or over meanwhile
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

function tooLittleRoom(needBytes: number): AppError {
  const message = `The disk has too little room to read this recording: it takes ${Math.ceil(needBytes / 1024 / 1024)} MB`
  return new AppError('disk_full', message, {
    help: 'Delete recordings you no longer need, or tell your administrator, and try again.',
  })
}
