import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** What a key may do: `read` calls that change nothing; `write` those too, and calls that change something. */
export const apiKeyScopes = ['read', 'write'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

export const maxApiKeys = 20
/** Two years. */
export const maxApiKeyDays = 731

/** An API key of a user, without its secret. `prefix` is the part of the token by which the user recognizes it. */
export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  scope: z.enum(apiKeyScopes),
  created_at: Moment,
  expires_at: Moment,
  /** To the minute. */
  last_used_at: Moment.nullable(),
  last_used_from: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>
