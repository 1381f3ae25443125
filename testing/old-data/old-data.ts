import { z } from 'zod'

/** What an old data folder holds, written beside its archive when it was made. */
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
  /** Of the first recording; empty before there were tags. */
  tags: z.array(z.string()),
  /** Name of the case that holds the first recording; null before there were cases. */
  caseName: z.string().nullable(),
})
export type OldData = z.infer<typeof OldData>

/** What the data folder of an office holds: more of everything, and work that waits. */
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
  /** Ids of the deliveries of the webhook, all of which wait. */
  deliveries: z.array(z.string()),
})
export type OfficeData = z.infer<typeof OfficeData>
