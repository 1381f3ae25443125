import type { Readable } from 'node:stream'

/** Names a stored file: a recording's id and its file ending without the dot. */
export interface AudioFile {
  id: string
  extension: string
}

/** A received file that is not yet kept: the caller checks it at `path`, then keeps or discards it. */
export interface PendingAudio {
  path: string
  sizeBytes: number
  sha256: string
  /** Puts the file in its place so that it survives a crash of the machine. */
  keep(): Promise<void>
  /** Takes it away. Doing so twice, or after a failed keep, is fine. */
  discard(): Promise<void>
}

export interface ReceiveLimits {
  maxBytes: number
  signal?: AbortSignal
  /** Awaited with the bytes so far before each part is written; what it throws ends the upload. */
  onReceived?: (sizeBytes: number) => Promise<void>
}

/** Where uploaded audio lies: a folder, or the database for several hosts. */
export interface AudioStore {
  /**
   * Writes a stream to a temporary place, hashing it on the way. Leaves nothing when the stream fails, `signal` aborts or more than
   * `maxBytes` come (`upload_too_large`). Fails with `disk_full` when the disk fills, with `unavailable` when the store cannot be
   * written to, with the signal's reason when it aborts.
   */
  receive(stream: Readable, options: AudioFile & ReceiveLimits): Promise<PendingAudio>
  /** Size in bytes, or null where no such file is stored. */
  size(file: AudioFile): Promise<number | null>
  /** The bytes from `start` to `end`, both included. */
  read(file: AudioFile, range: { start: number; end: number }): Readable
  /** A path that other programs can open, for as long as `release` was not called. */
  open(file: AudioFile): Promise<{ path: string; release: () => Promise<void> }>
  /** Takes a file away; one that is not there is no error. */
  remove(file: AudioFile): Promise<void>
  /** Stored files that were last written before a time, in batches. */
  listOlder(before: Date): AsyncIterable<AudioFile[]>
  /** Puts a file aside, out of the reach of every other function; a person decides what becomes of it. */
  quarantine(file: AudioFile): Promise<void>
  /** Deletes what uploads that were cut short before a time have left; answers how many. */
  removePartsOlder(before: Date): Promise<number>
  /** Bytes an upload may still use, keeping a reserve for the database. */
  freeBytes(): Promise<number>
  /** Throws when nothing can be written. */
  check(): Promise<void>
}
