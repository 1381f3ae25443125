import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { User } from '../entities/user.ts'
import { IdParams } from '../scalars.ts'

/** What super admins decide about accounts that administrators reset: docs/decisions/step-up-for-administration.md. */
export const recovery = {
  openLibrary: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/users/:id/open-library',
    access: 'super_admin',
    summary: 'Open the library of a user that an administrative reset closed; ends their sessions; audited',
    params: IdParams,
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
  applyEmailChange: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/users/:id/email-change',
    access: 'super_admin',
    summary: 'Put a new address into effect before its time; audited',
    params: IdParams,
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict', 'email_taken'],
  }),
  stopEmailChange: endpoint({
    method: 'DELETE',
    path: '/api/auth/super-admin/users/:id/email-change',
    access: 'super_admin',
    summary: 'Stop a change of address that waits; audited',
    params: IdParams,
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
}
