import type { Readable } from 'node:stream'

/** Writes one regular file of an archive; `name` is its unchecked path from the archive. */
export type ExtractFile = (name: string, content: Readable) => Promise<void>
