import { z } from 'zod'

/** Describes the content of an old data folder; written beside its archive when that was made. */
export const OldData = z.object({
  commit: z.string(),
  /** ISO 8601. */
  madeAt: z.iso.datetime(),
  /** Documents by collection. */
  documents: z.record(z.string(), z.number()),
  admin: z.object({ email: z.string(), password: z.string(), totpSecret: z.string() }),
  user: z.object({ email: z.string(), password: z.string() }),
  recordings: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      sha256: z.string(),
      /** Of the transcript; null where none was made. */
      words: z.array(z.string()).nullable(),
    }),
  ),
  keywords: z.array(z.string()),
  /** Tags of the first recording; empty before there were tags. */
  tags: z.array(z.string()),
  /** Name of the case that holds the first recording; null before there were cases. */
  caseName: z.string().nullable(),
})
export type OldData = z.infer<typeof OldData>

/** Describes the content of an office's data folder: more of everything, and waiting work. */
export const OfficeData = z.object({
  commit: z.string(),
  /** ISO 8601. */
  madeAt: z.iso.datetime(),
  /** Documents by collection. */
  documents: z.record(z.string(), z.number()),
  admin: z.object({ email: z.string(), password: z.string() }),
  recordings: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      tags: z.array(z.string()),
      /** Of the transcript; null where none was made. */
      words: z.array(z.string()).nullable(),
    }),
  ),
  alerts: z.array(z.object({ id: z.string(), recordingId: z.string() })),
  /** Ids of the webhook's deliveries, all of them waiting. */
  deliveries: z.array(z.string()),
})
export type OfficeData = z.infer<typeof OfficeData>
