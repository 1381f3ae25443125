import { z } from 'zod'

/** A model named in the configuration, what it is used for, and whether it can be used. */
export const ModelHealth = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['speech', 'translation']),
  /** Codes of the languages that the model serves, or that are unavailable while it has a problem. */
  languages: z.array(z.string()),
  /** The language pairs for which it was chosen as translator, such as `ps-en`. */
  pairs: z.array(z.string()).default([]),
  /** A sentence saying why it cannot be used, without paths because it is public. */
  problem: z.string().nullable(),
})
export type ModelHealth = z.infer<typeof ModelHealth>
