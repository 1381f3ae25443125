import { statfs } from 'node:fs/promises'
import type { DatabaseConnection } from '../connect.ts'
import { sumAudioSince } from './stored-audio.ts'

/** The same reserve as in disk-store.ts. */
export const diskReserveBytes = 512 * 1024 * 1024
const dayMs = 24 * 3_600_000
const observedDays = 30

/** Returns the free and total space of a folder's file system. One without inodes reports 0 for both file counts. */
export async function readDiskRoom(folder: string) {
  const { bavail, blocks, bsize, files, ffree } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, files, freeFiles: ffree }
}

/**
 * Estimates, from the recordings of the last 30 days, in how many days a folder will be full. Returns that and the bytes added per day.
 * Days are Infinity where nothing was added.
 */
export async function estimateDiskGrowth(
  connection: DatabaseConnection,
  { folder, now }: { folder: string; now: Date },
): Promise<{ bytesPerDay: number; daysLeft: number }> {
  const since = new Date(now.getTime() - observedDays * dayMs)
  const bytesPerDay = (await sumAudioSince(connection, since)) / observedDays
  const { freeBytes } = await readDiskRoom(folder)
  const daysLeft = bytesPerDay === 0 ? Infinity : Math.max(0, freeBytes - diskReserveBytes) / bytesPerDay
  return { bytesPerDay, daysLeft }
}
