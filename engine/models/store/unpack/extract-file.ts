import type { Readable } from 'node:stream'

/** Writes one regular file of an archive; `name` is its path as the archive has it, which is not yet checked. */
export type ExtractFile = (name: string, content: Readable) => Promise<void>
