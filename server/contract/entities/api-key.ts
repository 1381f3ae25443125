import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** What a key may do: `read` allows only calls that change nothing; `write` allows all calls. */
export const apiKeyScopes = ['read', 'write'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

export const maxApiKeys = 20
/** Two years. */
export const maxApiKeyDays = 731

/** An API key of a user, without its secret. `prefix` is the part of the token by which users recognize it. */
export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  scope: z.enum(apiKeyScopes),
  created_at: Moment,
  expires_at: Moment,
  /** Accurate to the minute. */
  last_used_at: Moment.nullable(),
  last_used_from: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>
