import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { KeptAddress, NotificationSettings, Session, User } from '../entities/user.ts'
import { Email, IdParams, Message } from '../scalars.ts'
import { SecondFactorChoice } from '../second-factor.ts'
import { Tokens } from './auth.ts'
import { westernDigits } from '../western-digits.ts'

const PasswordInput = z.string().max(1024)
const Code = z.string().trim().max(16).overwrite(westernDigits)
/** Limits only the length: `ChangedNames` validates changed names, so an existing name can be sent back unchanged. */
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
    isOpenWithoutLibrary: true,
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
    isOpenWithoutLibrary: true,
  }),
  getNotifications: endpoint({
    method: 'GET',
    path: '/api/auth/notifications',
    access: 'user',
    summary: 'Which mails the user gets',
    response: NotificationSettings,
    errors: [],
    isOpenWithoutLibrary: true,
  }),
  changeNotifications: endpoint({
    method: 'PUT',
    path: '/api/auth/notifications',
    access: 'user',
    summary: 'Choose which mails the user gets',
    body: NotificationSettings,
    response: NotificationSettings,
    errors: [],
    isOpenWithoutLibrary: true,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/change-password',
    access: 'user',
    summary: 'Change the password; ends the other sessions, revokes the old tokens and returns new ones',
    body: z.object({ current_password: PasswordInput, new_password: PasswordInput }),
    response: Tokens.extend({ message: z.string(), user: User }),
    errors: ['wrong_password', 'account_locked', 'conflict'],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  confirmPassword: endpoint({
    method: 'POST',
    path: '/api/auth/confirm-password',
    access: 'user',
    summary:
      'Confirm the password for calls that require it within five minutes, and for those of administration the code of two-factor; returns new tokens',
    body: z.object({ password: PasswordInput.min(1, 'Password is required'), totp_token: Code.optional() }),
    response: Tokens.extend({ message: z.string() }),
    errors: ['wrong_password', 'wrong_code', 'account_locked', 'conflict'],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  openLibrary: endpoint({
    method: 'POST',
    path: '/api/auth/open-library',
    access: 'user',
    summary:
      'Open the library that an administrative reset closed, by the password or a two-factor code from before it; the account gets its ' +
      'former address back unless `address` is `present`',
    body: z.object({
      password: PasswordInput.optional(),
      code: Code.optional(),
      address: KeptAddress.default('former'),
    }),
    response: z.object({ message: z.string(), user: User }),
    errors: ['wrong_password', 'wrong_code', 'conflict'],
    isOpenWithoutLibrary: true,
  }),
  stopEmailChange: endpoint({
    method: 'DELETE',
    path: '/api/auth/email-change',
    access: 'user',
    summary: 'Keep the address: stop the change that an administrator asked for',
    response: z.object({ user: User }),
    errors: ['conflict'],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  enableTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/enable',
    access: 'user',
    summary:
      'Begin two-factor setup; pending until a code is verified. `secret` is the seed of a hardware token (6 digits, 30 seconds); without ' +
      'it a secret is made. `printed_codes` returns 20 codes and nothing to scan. Requires the password confirmed within five minutes',
    body: SecondFactorChoice.default({ kind: 'authenticator' }),
    response: z.object({
      qr_code: z.string(),
      secret: z.string(),
      totp_uri: z.string(),
      backup_codes: z.array(z.string()),
    }),
    errors: ['two_factor_enabled', 'password_confirmation_required'],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  verifyTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/verify',
    access: 'user',
    summary: 'Confirm the pending setup, or check a code of the enabled one; a printed code is used up by it',
    body: z.object({ token: Code }),
    response: z.object({ valid: z.literal(true), user: User }),
    errors: ['wrong_code', 'account_locked'],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  disableTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/disable',
    access: 'user',
    summary: 'Disable two-factor; the code in the header X-TOTP-Token confirms it',
    response: z.object({ user: User }),
    errors: ['wrong_code', 'account_locked', 'conflict'],
    isOpenWithoutLibrary: true,
  }),
  renewBackupCodes: endpoint({
    method: 'POST',
    path: '/api/auth/2fa/backup-codes',
    access: 'user',
    summary:
      'Replace the backup codes by ten new ones, or a printed list by twenty; X-TOTP-Token as for disabling. Requires the password confirmed within five minutes as well',
    response: z.object({ backup_codes: z.array(z.string()) }),
    errors: ['wrong_code', 'account_locked', 'conflict', 'password_confirmation_required'],
    isOpenWithoutLibrary: true,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'The signed-in sessions of the user',
    response: z.object({ sessions: z.array(Session) }),
    errors: [],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'user',
    summary:
      'End one session; any other than the current one requires the password confirmed within five minutes or, with two-factor enabled, a ' +
      'code in the header X-TOTP-Token',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'password_confirmation_required', 'wrong_code', 'account_locked'],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  endAllSessions: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'user',
    summary:
      'End all sessions, including the current one; requires the password confirmed within five minutes or, with two-factor enabled, a code ' +
      'in the header X-TOTP-Token',
    response: Message,
    errors: ['password_confirmation_required', 'wrong_code', 'account_locked'],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
}
