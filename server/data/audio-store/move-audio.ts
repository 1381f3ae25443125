import { Readable } from 'node:stream'
import type { AudioFile, AudioStore } from './audio-store.ts'

export interface AudioMove {
  from: AudioStore
  to: AudioStore
  signal: AbortSignal
  onMoved?: (moved: MovedAudio) => void
}

export interface MovedAudio {
  files: number
  bytes: number
}

/**
 * Moves every file from one store to the other while both are in use (layered-store.ts): each is written completely and made durable
 * before it is removed from the old store. The next move picks up what an interrupted one left.
 */
export async function moveAudio({ from, to, signal, onMoved }: AudioMove): Promise<MovedAudio> {
  const moved: MovedAudio = { files: 0, bytes: 0 }
  for await (const files of from.listOlder(anyAge())) {
    for (const file of files) {
      signal.throwIfAborted()
      const sizeBytes = await moveFile(file, { from, to, signal })
      if (sizeBytes === null) continue
      moved.files += 1
      moved.bytes += sizeBytes
      onMoved?.(moved)
    }
  }
  return moved
}

/** Returns a time later than every file was written, however far the hosts' clocks differ. */
function anyAge(): Date {
  return new Date(Date.now() + 24 * 3_600_000)
}

/** Moves a file. Returns its size; null where the file was deleted in the meantime. */
async function moveFile(file: AudioFile, { from, to, signal }: AudioMove): Promise<number | null> {
  const sizeBytes = await from.size(file)
  if (sizeBytes === null) return null
  if ((await to.size(file)) !== sizeBytes) {
    const content = sizeBytes === 0 ? Readable.from([]) : await from.read(file, { start: 0, end: sizeBytes - 1 })
    const received = await to.receive(content, { ...file, maxBytes: sizeBytes, signal })
    if (received.sizeBytes !== sizeBytes) {
      await received.discard()
      throw new Error(`The sound of ${file.id} changed while it was moved`)
    }
    await received.keep()
  }
  // A deletion in between has removed the file from one of the stores.
  if ((await from.size(file)) === null) {
    await to.remove(file)
    return null
  }
  await from.remove(file)
  return sizeBytes
}

/** Counts the files of a store. */
export async function countAudio(store: AudioStore): Promise<MovedAudio> {
  const counted: MovedAudio = { files: 0, bytes: 0 }
  for await (const files of store.listOlder(anyAge())) {
    for (const file of files) {
      counted.files += 1
      counted.bytes += (await store.size(file)) ?? 0
    }
  }
  return counted
}
