import type { LibraryClosure } from '#contract/entities/user.ts'
import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

const acts: Record<LibraryClosure['reason'], string> = {
  password: 'set a new password for your account',
  address: 'gave your account another e-mail address',
  two_factor: 'reset the two-factor authentication of your account',
}

/** What opens it. Signing in is a proof only at the former address. */
const openings: Record<LibraryClosure['reason'], string> = {
  password:
    'Sign in with a code of your former authenticator app, or enter your former password or a former code when you are asked.',
  address:
    'Sign in at the new address, enter your former password or a code of your former authenticator app when you are asked, and say which address is yours.',
  two_factor: 'Sign in with your password as before, or enter a former code when you are asked.',
}

/** Sent to the owner at the former address, whatever mails they chose: nobody else may notice a takeover. `email`: the new address. */
export function libraryClosedMail(
  addressee: MailRecipient,
  { reason, email }: { reason: LibraryClosure['reason']; email?: string | undefined },
): RenderedMail {
  const act = email === undefined ? acts[reason] : `${acts[reason]}: ${email}`
  return layout({
    subject: 'Your library is closed',
    greeting: greetingFor(addressee),
    paragraphs: [
      `An administrator ${act}. Your recordings and texts stay closed until it is certain that the account is still yours. Nothing is lost.`,
      `${openings[reason]} If you have nothing of this, ask a super administrator to open the library.`,
    ],
    closing: 'If this is a surprise to you, please tell a super administrator at once.',
  })
}

/** Sent to each super admin. */
export function libraryClosedNotice(
  addressee: MailRecipient,
  { owner, actor, reason }: { owner: string; actor: string; reason: LibraryClosure['reason'] },
): RenderedMail {
  return layout({
    subject: 'A library was closed by an administrative reset',
    greeting: greetingFor(addressee),
    paragraphs: [
      `Account: ${owner}. Done by: ${actor}. What was reset: ${reason.replace('_', '-')}.`,
      'The library opens when its owner proves themselves by a former password, code or passkey. Open it yourself only once you have verified who is asking.',
    ],
    closing: 'The audit trail has the details.',
  })
}

/** Sent to the owner. */
export function libraryOpenedMail(
  addressee: MailRecipient,
  { byAdmin, email }: { byAdmin: boolean; email: string },
): RenderedMail {
  return layout({
    subject: 'Your library is open again',
    greeting: greetingFor(addressee),
    paragraphs: [
      byAdmin
        ? 'A super administrator opened the library of your account. All sessions were ended: please sign in again.'
        : 'The library of your account was opened by a password, code or passkey from before the reset. Other sessions were ended.',
      `The e-mail address of the account is ${email}.`,
    ],
    closing: 'If this was not you, please tell a super administrator at once.',
  })
}

/** Sent to each super admin. */
export function libraryOpenedNotice(
  addressee: MailRecipient,
  { owner, actor, details }: { owner: string; actor: string; details: string },
): RenderedMail {
  return layout({
    subject: 'A library was opened again',
    greeting: greetingFor(addressee),
    paragraphs: [`Account: ${owner}. Done by: ${actor}. How: ${details}.`],
    closing: 'The audit trail has the details.',
  })
}
