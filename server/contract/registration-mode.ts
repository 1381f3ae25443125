import { z } from 'zod'

/**
 * Who may register: everybody, people with an invitation, addresses of `registration_domains`, or nobody.
 * In a separate file because the sign-in page needs no other setting.
 */
export const RegistrationMode = z.enum(['open', 'invitation', 'domains', 'closed'])
export type RegistrationMode = z.infer<typeof RegistrationMode>
