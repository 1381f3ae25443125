import { z } from 'zod'
import { audioFile, damagedFolder } from './known-paths.ts'

/*
 * A backup is a tar archive: `awaz-backup.json` (BackupHead), then what the manifest lists, `manifest.json` and `end.sha256`. Paths begin
 * with `database/` (BSON documents one after another, in parts), `data/` (relative to DATA_DIR) or `models/` (relative to MODELS_DIR).
 */

/** Version of the format. It is raised by a change that older versions of Awaz cannot read. */
export const formatVersion = 1

/** Size limit of a file in `database/`: 8 MB of documents, plus one more document of up to 16 MB. */
export const maxPartBytes = 32 * 2 ** 20
export const maxHeadBytes = 64 * 2 ** 10
/** Enough for two million files. */
export const maxManifestBytes = 500_000_000

export const headFile = 'awaz-backup.json'
export const manifestFile = 'manifest.json'
export const endFile = 'end.sha256'

/** The first entry. Every later format keeps it, so that older versions can say what they cannot read. */
export const BackupHead = z.looseObject({
  product: z.literal('awaz'),
  format: z.int().positive(),
  /** Version of Awaz that made it. */
  version: z.string(),
})
export type BackupHead = z.infer<typeof BackupHead>

/** Name of a file in the folder `blobs`. */
export const blobPattern = /^[0-9a-f]{64}(\.age)?$/

const BackupFile = z.object({
  path: z.string(),
  sizeBytes: z.int().nonnegative(),
  sha256: z.hex(),
  /** Name in the folder `blobs` beside the archive; missing where the archive holds the file itself. */
  blob: z.string().regex(blobPattern).optional(),
})
export type BackupFile = z.infer<typeof BackupFile>

const BackupCollection = z.object({
  name: z.string(),
  documents: z.int().nonnegative(),
  /** Number of files `database/NAME/000001.bson` and so on. */
  parts: z.int().nonnegative(),
})
export type BackupCollection = z.infer<typeof BackupCollection>

const DamagedDocument = z.object({
  collection: z.string(),
  /** `row 12` where the id is damaged too. */
  id: z.string(),
  /** Path of the file in this archive that holds its bytes; missing where it is among the documents of its collection. */
  file: z.string().optional(),
})
export type DamagedDocument = z.infer<typeof DamagedDocument>

export const BackupManifest = z.object({
  format: z.literal(formatVersion),
  version: z.string(),
  /** Time of the database snapshot. */
  createdAt: z.iso.datetime(),
  database: z.object({
    engine: z.enum(['embedded', 'mongodb']),
    /** False for MongoDB, whose collections are read one after another. */
    isPointInTime: z.boolean(),
    collections: z.array(BackupCollection),
  }),
  files: z.array(BackupFile),
  /** Ids of recordings whose audio file was missing. */
  missingAudio: z.array(z.string()),
  /** Ids of recordings whose audio file differs from the upload: it is damaged. */
  damagedAudio: z.array(z.string()),
  /** Ids of recordings whose audio file was missing or had changed in size, but which is whole here, from an earlier backup. */
  heldAudio: z.array(z.string()).default([]),
  /** Documents that, by their checksum, were not what had been stored. */
  damagedDocuments: z.array(DamagedDocument).default([]),
})
export type BackupManifest = z.infer<typeof BackupManifest>

export function databasePart(collection: string, part: number): string {
  return `database/${encodeURIComponent(collection)}/${String(part).padStart(6, '0')}.bson`
}

export function indexesFile(collection: string): string {
  return `database/${encodeURIComponent(collection)}/indexes.json`
}

/** Returns the path of a damaged document that no database accepts. The checksum keeps it apart from those that a restore brought along. */
export function damagedDocumentPath(collection: string, { row, crc }: { row: number; crc: number }): string {
  return `data/${damagedFolder}/${encodeURIComponent(collection)}/${row}-${crc.toString(16).padStart(8, '0')}.bson`
}

/** Whether the file is the audio of a recording. */
export function isAudioFile({ path }: Pick<BackupFile, 'path'>): boolean {
  return audioFile.test(path)
}
