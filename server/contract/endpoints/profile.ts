import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Session, User } from '../entities/user.ts'
import { Email, IdParams, Message } from '../scalars.ts'

const PasswordInput = z.string().max(1024)
const Code = z.string().trim().max(16)
/** Bounds alone: `ChangedNames` is asked of what changes, so that a name of before its rules may be sent back as it is. */
const NameInput = z.string().max(200).optional()

export const profile = {
  get: endpoint({
    method: 'GET',
    path: '/api/auth/profile',
    access: 'user',
    summary: 'The signed-in user, and how many backup codes are left',
    response: z.object({ user: User, backup_codes_left: z.int().nonnegative() }),
    errors: [],
    isOpenBehindGate: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/auth/profile',
    access: 'user',
    summary: 'Change names and username; the e-mail is read-only',
    body: z.object({
      first_name: NameInput,
      last_name: NameInput,
      username: NameInput,
      email: Email.optional(),
    }),
    response: z.object({ user: User }),
    errors: ['username_taken'],
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/change-password',
    access: 'user',
    summary: 'Change the password; ends the other sessions',
    body: z.object({ current_password: PasswordInput, new_password: PasswordInput }),
    response: z.object({ message: z.string(), user: User }),
    errors: ['wrong_password', 'account_locked'],
    isOpenBehindGate: true,
  }),
  enableTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/enable',
    access: 'user',
    summary: 'Begin two-factor setup; pending until a code is verified',
    response: z.object({
      qr_code: z.string(),
      secret: z.string(),
      totp_uri: z.string(),
      backup_codes: z.array(z.string()),
    }),
    errors: ['two_factor_enabled'],
    isOpenBehindGate: true,
  }),
  verifyTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/verify',
    access: 'user',
    summary: 'Confirm the pending setup, or check a code of the enabled one',
    body: z.object({ token: Code }),
    response: z.object({ valid: z.literal(true), user: User }),
    errors: ['wrong_code', 'account_locked'],
    isOpenBehindGate: true,
  }),
  disableTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/disable',
    access: 'user',
    summary: 'Switch two-factor off; the code travels in the header X-TOTP-Token',
    response: z.object({ user: User }),
    errors: ['wrong_code', 'account_locked', 'conflict'],
  }),
  renewBackupCodes: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/backup-codes',
    access: 'user',
    summary: 'Ten new backup codes, the old ones become void; the code travels in the header X-TOTP-Token',
    response: z.object({ backup_codes: z.array(z.string()) }),
    errors: ['wrong_code', 'account_locked', 'conflict'],
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'The signed-in sessions of the user',
    response: z.object({ sessions: z.array(Session) }),
    errors: [],
    isOpenBehindGate: true,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'user',
    summary: 'End one session',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
    isOpenBehindGate: true,
  }),
  endAllSessions: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'End all sessions, this one included',
    response: Message,
    errors: [],
    isOpenBehindGate: true,
  }),
}
