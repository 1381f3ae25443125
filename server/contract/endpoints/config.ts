import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { OfferedProvider } from '../entities/offered-provider.ts'
import { RegistrationMode } from '../registration-mode.ts'

/** In a separate file because the sign-in page needs no other system schema. */
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
    registration: RegistrationMode,
    registration_domains: z.array(z.string()),
    /** Providers through which people can sign in. */
    sign_in_providers: z.array(OfferedProvider),
    max_upload_bytes: z.int(),
    /** Days after which recordings are deleted; 0 keeps them. */
    retention_days: z.int(),
    version: z.string(),
  }),
  errors: [],
})
