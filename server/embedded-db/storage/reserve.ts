import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Disk space reserved for when the disk is full: a deletion needs space in the write-ahead log before it frees any.
 */
export interface DiskReserve {
  /** Whether the reserve was released, or could not be allocated. */
  readonly isLow: boolean
  /** Releases the reserve, so that small changes and deletions find space. */
  release(): void
  /** Allocates the reserve again when the disk has enough space. */
  refill(): void
}

const reserveBytes = 16 * 1024 * 1024
/** The reserve is allocated only if this many times its size is free. */
const spareFactor = 4
const fillBlock = Buffer.alloc(1024 * 1024)

/** Opens the reserve, a file next to the data file. */
export function openReserve(dataFile: string): DiskReserve {
  const file = `${dataFile}.reserve`

  let isLow = false

  function refill(): void {
    if (existsSync(file)) return
    const { bavail, bsize } = statfsSync(dirname(file))
    isLow = bavail * bsize < reserveBytes
    if (bavail * bsize < reserveBytes * spareFactor) return
    try {
      writeZeros(file)
    } catch (error) {
      rmSync(file, { force: true })
      if (!isNoSpace(error)) throw error
    }
  }

  refill()
  return {
    get isLow() {
      return isLow
    },
    release() {
      isLow = true
      rmSync(file, { force: true })
    },
    refill,
  }
}

function writeZeros(file: string): void {
  const handle = openSync(file, 'w', 0o600)
  try {
    for (let written = 0; written < reserveBytes; written += fillBlock.length) writeSync(handle, fillBlock)
  } finally {
    closeSync(handle)
  }
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
