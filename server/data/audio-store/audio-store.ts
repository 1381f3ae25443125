import type { Readable } from 'node:stream'

/** Identifies a stored file: a recording's id and its file extension without the dot. */
export interface AudioFile {
  id: string
  extension: string
}

/** A received file that is not yet stored: the caller checks it at `path`, then keeps or discards it. */
export interface PendingAudio {
  path: string
  sizeBytes: number
  sha256: string
  /** Moves the file to its final path so that it survives a crash of the machine; with an extension, under that one. */
  keep(extension?: string): Promise<void>
  /** Deletes it; safe to repeat, also after a failed `keep`. */
  discard(): Promise<void>
}

export interface ReceiveLimits {
  maxBytes: number
  signal?: AbortSignal
  /** Awaited with the size so far before each part is written; an error ends the upload. */
  onReceived?: (sizeBytes: number) => Promise<void>
}

export interface AppendOptions {
  /** Where the bytes begin. The file has at least this many bytes; any beyond are cut off. */
  offset: number
  /** The maximum number of bytes to append. */
  maxBytes: number
  signal: AbortSignal
  /** Called whenever bytes arrive. */
  onReceived: () => void
  /** Awaited with the new size once bytes are on disk: at least every 8 MiB, and at the end. An error ends the upload. */
  onStored: (sizeBytes: number) => Promise<void>
}

/** The files of resumable uploads, by upload id, which grow part by part. */
export interface UploadFiles {
  /** Returns the size of a file in bytes, 0 where there is none. */
  size(id: string): Promise<number>
  /**
   * Appends a stream. What arrived before a failure stays and is reported. Throws `disk_full`, `unavailable`, `upload_too_large`, the
   * signal's reason, or the error of the stream.
   */
  append(id: string, stream: Readable, options: AppendOptions): Promise<void>
  /** Hashes a complete file so that it can be stored. Discarding undoes `keep` and leaves the upload's file in place. */
  open(file: AudioFile): Promise<PendingAudio>
  /** Deletes a file; a missing one is no error. */
  remove(id: string): Promise<void>
  /** Returns the ids of all files. */
  list(): Promise<string[]>
}

/** Storage of uploaded audio. */
export interface AudioStore {
  /** The data that resumable uploads have received so far. */
  readonly uploads: UploadFiles
  /**
   * Writes a stream to a temporary file, hashing it on the way. Leaves nothing behind when the stream fails, `signal` aborts or more than
   * `maxBytes` arrive (`upload_too_large`). Throws `disk_full` when the disk fills, `unavailable` when the store cannot be
   * written to, the signal's reason when it aborts.
   */
  receive(stream: Readable, options: AudioFile & ReceiveLimits): Promise<PendingAudio>
  /** Returns the size in bytes, or null where no such file is stored. */
  size(file: AudioFile): Promise<number | null>
  /** Reads the bytes from `start` to `end`, both included. */
  read(file: AudioFile, range: { start: number; end: number }): Promise<Readable>
  /** Returns a path that other programs can open until `release` is called. */
  open(file: AudioFile): Promise<{ path: string; release: () => Promise<void> }>
  /** Deletes a file; a missing one is no error. */
  remove(file: AudioFile): Promise<void>
  /** Lists files last written before a time, in batches. */
  listOlder(before: Date): AsyncIterable<AudioFile[]>
  /** Moves a file out of the reach of every other function, for an administrator to inspect. */
  quarantine(file: AudioFile): Promise<void>
  /** Returns how many files are quarantined. */
  countQuarantined(): Promise<number>
  /** Returns the number of partial files left by uploads interrupted before a time. */
  countPartsOlder(before: Date): Promise<number>
  /** Deletes partial files of uploads, and links of backups, interrupted before a time; returns the number of partial files. */
  removePartsOlder(before: Date): Promise<number>
  /** Returns the number of bytes that uploads may still use, keeping a reserve for the database. */
  freeBytes(): Promise<number>
}
