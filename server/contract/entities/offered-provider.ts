import { z } from 'zod'
import { Id } from '../scalars.ts'

/** A provider as the sign-in page offers it. In a separate file because that page needs no other provider schema. */
export const OfferedProvider = z.object({ id: Id, kind: z.enum(['oidc', 'ldap']), name: z.string() })
export type OfferedProvider = z.infer<typeof OfferedProvider>
