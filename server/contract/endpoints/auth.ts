import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { User } from '../entities/user.ts'
import { NewEmail, PersonName, Username } from '../names.ts'
import { Email, Id, Message } from '../scalars.ts'
import { SecondFactorChoice } from '../second-factor.ts'
import { t } from '../texts/t.ts'
import { westernDigits } from '../western-digits.ts'

/** A password as received; only its length is limited. The rules of each form are in password-rules.ts. */
const PasswordInput = z.string().max(1024, t('Password must be no more than 1024 characters long'))
const Token = z.string().min(1).max(512)
const Name = PersonName.default('')

/** Registration payload (accounts specification, section 3). */
export const SignUp = z.object({
  email: NewEmail,
  username: Username,
  password: PasswordInput.min(1, t('Password is required')),
  first_name: Name,
  last_name: Name,
})

export const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

/** The three successful outcomes of signing in (accounts specification, sections 3 and 4). */
export const SignInResult = z.union([
  Tokens.extend({ user: User }),
  z.object({ requires_2fa: z.literal(true), user_id: Id, methods: z.array(z.enum(['code', 'passkey'])) }),
  z.object({ requires_verification: z.literal(true), user_id: Id, message: z.string() }),
])

export const auth = {
  signUp: endpoint({
    method: 'POST',
    path: '/api/auth/signup',
    access: 'public',
    summary: 'Register an account; a verification link is mailed',
    body: SignUp,
    response: z.object({ message: z.string(), user: User }),
    status: 201,
    errors: ['email_taken', 'username_taken', 'registration_closed'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth/signin',
    access: 'public',
    summary: 'Sign in; requires a second factor or verification where needed',
    body: z.object({
      email: Email,
      password: PasswordInput.min(1, { error: t('Password is required'), abort: true }).min(
        6,
        t('Password must be at least 6 characters'),
      ),
      totp_token: z.string().trim().max(16).overwrite(westernDigits).optional(),
      remember_me: z.boolean().default(false),
    }),
    response: SignInResult,
    errors: ['sign_in_failed', 'account_deactivated', 'account_locked', 'password_expired'],
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/auth/signout',
    access: 'public',
    summary: 'End the session that a refresh token belongs to; `redirect_to` ends that of the OpenID provider too',
    body: z.object({ refresh_token: Token.nullish() }),
    response: Message.extend({ redirect_to: z.string().optional() }),
    errors: [],
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/auth/refresh',
    access: 'public',
    summary: 'Exchange a refresh token for a new pair; reusing one ends its session',
    body: z.object({ refresh_token: Token }),
    response: Tokens,
    errors: ['session_expired'],
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/auth/verify-email',
    access: 'public',
    summary: 'Confirm an e-mail address by the link mailed to it',
    body: z.object({ token: Token }),
    response: z.object({ requires_2fa_setup: z.boolean(), user_id: Id, user: User }),
    errors: [],
  }),
  resendVerification: endpoint({
    method: 'POST',
    path: '/api/auth/resend-verification',
    access: 'public',
    summary: 'Mail the verification link again, to the given address or to the signed-in user',
    body: z.object({ email: Email.optional() }).default({}),
    response: Message,
    errors: [],
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    summary: 'Mail a 6-digit reset code and a reset link, valid for 10 minutes',
    body: z.object({ email: Email }),
    response: Message,
    errors: [],
  }),
  verifyResetCode: endpoint({
    method: 'POST',
    path: '/api/auth/verify-reset-code',
    access: 'public',
    summary: 'Check a reset code without consuming it; failed attempts count',
    body: z.object({ email: Email, code: z.string().trim().max(16).overwrite(westernDigits) }),
    response: Message,
    errors: ['wrong_code'],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'public',
    summary: 'Set a new password by code or by link token; ends all sessions',
    body: z.union([
      z.object({ email: Email, code: z.string().trim().max(16).overwrite(westernDigits), new_password: PasswordInput }),
      z.object({ token: Token, new_password: PasswordInput }),
    ]),
    response: Message,
    errors: ['wrong_code'],
  }),
  stopEmailChange: endpoint({
    method: 'POST',
    path: '/api/auth/email-change/stop',
    access: 'public',
    summary: 'Keep the address, by the link of the mail about a change that an administrator asked for',
    body: z.object({ token: z.string().max(200) }),
    response: Message,
    errors: ['wrong_code'],
  }),
  setUpRegistrationTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/registration/setup-2fa',
    access: 'public',
    summary:
      'Begin two-factor setup right after verification; needs the proof cookie. `kind` and `secret` as for a signed-in user',
    body: SecondFactorChoice.extend({ user_id: Id }),
    response: z.object({ qr_code: z.string(), secret: z.string(), backup_codes: z.array(z.string()) }),
    errors: ['registration_proof_missing', 'two_factor_enabled'],
  }),
  verifyRegistrationTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/registration/verify-2fa',
    access: 'public',
    summary: 'Finish two-factor setup right after verification; needs the proof cookie',
    body: z.object({ user_id: Id, totp_token: z.string().trim().max(16).overwrite(westernDigits) }),
    response: Message,
    errors: ['registration_proof_missing', 'two_factor_enabled', 'wrong_code'],
  }),
}
