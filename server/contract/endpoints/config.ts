import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** In its own file, because the sign-in page needs no other schema of the system. */
export const config = endpoint({
  method: 'GET',
  path: '/api/config',
  access: 'public',
  summary: 'Settings that the web app needs before sign-in',
  response: z.object({
    signin_requires_verified: z.boolean(),
    gate_requires_verified: z.boolean(),
    gate_requires_2fa: z.boolean(),
    is_smtp_configured: z.boolean(),
    /** Who may register: everybody, addresses of `registration_domains`, or nobody. */
    registration: z.enum(['open', 'domains', 'closed']),
    registration_domains: z.array(z.string()),
    max_upload_bytes: z.int(),
    /** Days after which recordings are deleted; 0 keeps them. */
    retention_days: z.int(),
    version: z.string(),
  }),
  errors: [],
})
