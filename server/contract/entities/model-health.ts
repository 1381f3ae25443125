import { z } from 'zod'

/** A model that the configuration names, what it is used for, and whether it can be used. */
export const ModelHealth = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['speech', 'translation']),
  /** Codes of the languages that it serves, or that are unavailable while it has a problem. */
  languages: z.array(z.string()),
  /** Pairs that it translates where it was chosen for pairs, such as `ps-en`. */
  pairs: z.array(z.string()).default([]),
  /** Why it cannot be used, as a sentence without paths, because it is public. */
  problem: z.string().nullable(),
})
export type ModelHealth = z.infer<typeof ModelHealth>
