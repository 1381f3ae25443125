import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { KeptAddress, User } from '../entities/user.ts'
import { Email, IdParams } from '../scalars.ts'

/** The address as the super admin saw it: it may have changed in the meantime. */
const ExpectedAddress = z.object({ email: Email.optional() })

/** Decisions of super admins about accounts that administrators reset: docs/decisions/step-up-for-administration.md. */
export const recovery = {
  openLibrary: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/users/:id/open-library',
    access: 'super_admin',
    summary:
      'Open the library of a user that an administrative reset closed; ends their sessions; the account gets its former address back unless ' +
      '`address` is `present`; audited',
    params: IdParams,
    body: z.object({ address: KeptAddress.default('former') }).default({ address: 'former' }),
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
  applyEmailChange: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/users/:id/email-change',
    access: 'super_admin',
    summary: 'Put a new address into effect before its time; with `email`, only that one; audited',
    params: IdParams,
    body: ExpectedAddress.default({}),
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict', 'email_taken'],
  }),
  stopEmailChange: endpoint({
    method: 'DELETE',
    path: '/api/auth/super-admin/users/:id/email-change',
    access: 'super_admin',
    summary: 'Stop a change of address that waits; with `email`, only that to this address; audited',
    params: IdParams,
    query: ExpectedAddress,
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
}
