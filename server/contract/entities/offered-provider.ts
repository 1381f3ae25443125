import { z } from 'zod'
import { Id } from '../scalars.ts'

/** A provider as the sign-in page offers it. In its own file, because that page needs no other schema of providers. */
export const OfferedProvider = z.object({ id: Id, kind: z.enum(['oidc', 'ldap']), name: z.string() })
export type OfferedProvider = z.infer<typeof OfferedProvider>
