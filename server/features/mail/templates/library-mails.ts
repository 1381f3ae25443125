import type { FormerFactor, LibraryClosure } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

type Reason = LibraryClosure['reason']

function describeReset(reason: Reason, email: string | undefined): string {
  if (reason === 'password') return t('An administrator set a new password for your account.')
  if (reason === 'two_factor') return t('An administrator reset the two-factor authentication of your account.')
  if (email === undefined) return t('An administrator gave your account another e-mail address.')
  return t('An administrator gave your account another e-mail address: {email}.', { email })
}

/** What opens the library. Signing in is a proof only at the former address. */
function openings(): Record<Reason, string> {
  return {
    password: t(
      'Sign in with a code of your former authenticator app, or enter your former password or a former code when you are asked.',
    ),
    address: t(
      'Sign in at the new address, enter your former password or a code of your former authenticator app when you are asked, and say which address is yours.',
    ),
    two_factor: t('Sign in with your password as before, or enter a former code when you are asked.'),
  }
}

/**
 * Sent to the owner at the former address, regardless of which mails they chose: nobody else may notice a takeover. `email` is the new
 * address.
 */
export function libraryClosedMail(
  addressee: MailRecipient,
  { reason, email }: { reason: Reason; email?: string | undefined },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Your library is closed'),
    paragraphs: [
      `${describeReset(reason, email)} ${t('Your recordings and texts stay closed until it is certain that the account is still yours. Nothing is lost.')}`,
      `${openings()[reason]} ${t('If you have nothing of this, ask a super administrator to open the library.')}`,
    ],
    closing: t('If this is a surprise to you, please tell a super administrator at once.'),
  }))
}

/** Sent to each super admin. */
export function libraryClosedNotice(
  addressee: MailRecipient,
  { owner, actor, reason }: { owner: string; actor: string; reason: Reason },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('A library was closed by an administrative reset'),
    paragraphs: [
      t(
        'Account: {owner}. Done by: {actor}. What was reset: {reason, select, password {password} address {address} other {two-factor}}.',
        { owner, actor, reason },
      ),
      t(
        'The library opens when its owner proves themselves by a former password, code or passkey. Open it yourself only once you have verified who is asking.',
      ),
    ],
    closing: t('The audit trail has the details.'),
  }))
}

/** Sent to the owner. */
export function libraryOpenedMail(
  addressee: MailRecipient,
  { byAdmin, email }: { byAdmin: boolean; email: string },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Your library is open again'),
    paragraphs: [
      byAdmin
        ? t('A super administrator opened the library of your account. All sessions were ended: please sign in again.')
        : t(
            'The library of your account was opened by a password, code or passkey from before the reset. Other sessions were ended.',
          ),
      t('The e-mail address of the account is {email}.', { email }),
    ],
    closing: t('If this was not you, please tell a super administrator at once.'),
  }))
}

interface Opening {
  owner: string
  actor: string
  /** What proved the owner; missing if a super admin decided. */
  proof: FormerFactor | 'provider' | undefined
  /** The address that the account got back, if it had a different one. */
  restoredEmail: string | undefined
}

/** Sent to each super admin. */
export function libraryOpenedNotice(
  addressee: MailRecipient,
  { owner, actor, proof, restoredEmail }: Opening,
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('A library was opened again'),
    paragraphs: [
      restoredEmail === undefined
        ? t(
            'Account: {owner}. Done by: {actor}. How: {proof, select, password {password} code {code} passkey {passkey} provider {provider} other {by a super admin}}.',
            { owner, actor, proof: proof ?? 'none' },
          )
        : t(
            'Account: {owner}. Done by: {actor}. How: {proof, select, password {password} code {code} passkey {passkey} provider {provider} other {by a super admin}}, email back to {email}.',
            { owner, actor, proof: proof ?? 'none', email: restoredEmail },
          ),
    ],
    closing: t('The audit trail has the details.'),
  }))
}
