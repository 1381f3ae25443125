import type { LibraryClosure } from '#contract/entities/user.ts'
import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

const acts: Record<LibraryClosure['reason'], string> = {
  password: 'set a new password for your account',
  address: 'gave your account another e-mail address',
  two_factor: 'reset the two-factor authentication of your account',
}

/** Sent to the owner, whatever mails they chose: nobody else may notice a takeover. */
export function libraryClosedMail(addressee: MailRecipient, reason: LibraryClosure['reason']): RenderedMail {
  return layout({
    subject: 'Your library is closed',
    greeting: greetingFor(addressee),
    paragraphs: [
      `An administrator ${acts[reason]}. Until it is certain that you are still the one who signs in, your recordings and texts stay closed.`,
      'Sign in as before, or enter your former password or a code of your former authenticator app when you are asked. If you have neither, ask a super administrator to open the library.',
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
      'The library opens when its owner proves themselves by a former password, code or passkey. Open it yourself only when you are sure who asks.',
    ],
    closing: 'The audit trail has the details.',
  })
}

/** Sent to the owner. */
export function libraryOpenedMail(addressee: MailRecipient, { byAdmin }: { byAdmin: boolean }): RenderedMail {
  return layout({
    subject: 'Your library is open again',
    greeting: greetingFor(addressee),
    paragraphs: [
      byAdmin
        ? 'A super administrator opened the library of your account. All sessions were ended: please sign in again.'
        : 'The library of your account was opened by a password, code or passkey from before the reset. Other sessions were ended.',
    ],
    closing: 'If this was not you, please tell a super administrator at once.',
  })
}
