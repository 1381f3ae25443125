import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Room on the disk that is kept for the day it is full: a deletion needs room in the write-ahead log before it gives any back.
 */
export interface DiskReserve {
  /** Whether the disk is full but for this: the room was given up, or there was none to take. */
  readonly isLow: boolean
  /** Gives the room up, so that small changes and deletions find some. */
  release(): void
  /** Takes the room again where the disk has it to spare. */
  refill(): void
}

const reserveBytes = 16 * 1024 * 1024
/** The reserve is taken only from a disk that has so many times as much. */
const spareFactor = 4
const fillBlock = Buffer.alloc(1024 * 1024)

/** Keeps the reserve in a file beside the data file. */
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
