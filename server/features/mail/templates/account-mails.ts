import { greetingFor, type MailRecipient } from './greeting.ts'
import type { BatchCounts } from '#contract/batches.ts'
import { layout, type RenderedMail } from './layout.ts'

/** Builds links from PUBLIC_URL, never from the host that a request names. */
function link(publicUrl: string, path: string, token: string): string {
  return `${publicUrl}${path}?token=${token}`
}

export function verificationMail(
  addressee: MailRecipient,
  options: { publicUrl: string; token: string },
): RenderedMail {
  return layout({
    subject: 'Verify your e-mail address',
    greeting: greetingFor(addressee),
    paragraphs: ['Please verify this e-mail address to finish your registration. The link expires in 24 hours.'],
    link: { label: 'Verify e-mail address', url: link(options.publicUrl, '/verify-email', options.token) },
    closing: 'If you did not register, you can ignore this mail.',
  })
}

export function passwordResetMail(
  addressee: MailRecipient,
  options: { publicUrl: string; token: string; code: string },
): RenderedMail {
  return layout({
    subject: 'Your password reset code',
    greeting: greetingFor(addressee),
    paragraphs: ['Enter this code to reset your password, or open the link. Both expire in 10 minutes.'],
    code: options.code,
    link: { label: 'Reset password', url: link(options.publicUrl, '/reset-password', options.token) },
    closing: 'If you did not ask for this, you can ignore this mail; your password stays as it is.',
  })
}

export type TwoFactorEvent = 'enable' | 'disable' | 'backup_codes' | 'passkey_added' | 'passkey_removed'

const twoFactorTexts: Record<TwoFactorEvent, { subject: string; text: string }> = {
  enable: {
    subject: 'Two-factor authentication was switched on',
    text: 'Two-factor authentication was switched on for your account and your other sessions were ended.',
  },
  disable: {
    subject: 'Two-factor authentication was switched off',
    text: 'Two-factor authentication was switched off for your account and your other sessions were ended.',
  },
  backup_codes: {
    subject: 'Your backup codes were replaced',
    text: 'Your account has new backup codes. The old ones no longer work, and your other sessions were ended.',
  },
  passkey_added: {
    subject: 'A passkey was added to your account',
    text: 'Your account has a new passkey, which signs in without a password. Your other sessions were ended.',
  },
  passkey_removed: {
    subject: 'A passkey was removed from your account',
    text: 'A passkey of your account was removed and no longer signs in. Your other sessions were ended.',
  },
}

export function twoFactorChangedMail(addressee: MailRecipient, event: TwoFactorEvent): RenderedMail {
  const { subject, text } = twoFactorTexts[event]
  return layout({
    subject,
    greeting: greetingFor(addressee),
    paragraphs: [text],
    closing: 'If this was not you, please tell your administrator at once.',
  })
}

/** Names nothing about the recording: mails pass through other people's servers. */
export function jobEndedMail(
  addressee: MailRecipient,
  { what, isDone, url }: { what: string; isDone: boolean; url: string },
): RenderedMail {
  const outcome = isDone ? 'is finished' : 'has failed'
  return layout({
    subject: `Your ${what} ${outcome}`,
    greeting: greetingFor(addressee),
    paragraphs: [`The ${what} that you started ${outcome}.`],
    link: { label: 'Open the recording', url },
    closing: 'You can switch these mails off in your settings.',
  })
}

/** Names no recording either. */
export function batchEndedMail(
  addressee: MailRecipient,
  { counts, url }: { counts: BatchCounts; url: string },
): RenderedMail {
  const { done, failed, skipped } = counts
  return layout({
    subject: failed > 0 ? 'Your batch is finished, with failures' : 'Your batch is finished',
    greeting: greetingFor(addressee),
    paragraphs: [
      'The batch of recordings that you started is finished.',
      `${done} done, ${failed} failed, ${skipped} skipped.`,
    ],
    link: { label: 'Open the library', url },
    closing: 'You can switch these mails off in your settings.',
  })
}

/** Sent when its reader has switched such mails off, in case that was somebody else. */
export function securityAlertsOffMail(addressee: MailRecipient): RenderedMail {
  return layout({
    subject: 'Security alerts were switched off',
    greeting: greetingFor(addressee),
    paragraphs: ['You no longer get a mail when your password or your second factor is changed.'],
    closing: 'If this was not you, please tell your administrator at once.',
  })
}

/** Sent by a super admin to check that mails arrive. */
export function testMail(): RenderedMail {
  return layout({
    subject: 'Test mail',
    greeting: 'Hello,',
    paragraphs: ['This mail was sent from the administration to try the mail server. It works.'],
    closing: 'Nothing needs to be done.',
  })
}

export function passwordChangedMail(addressee: MailRecipient): RenderedMail {
  return layout({
    subject: 'Your password was changed',
    greeting: greetingFor(addressee),
    paragraphs: ['The password of your account was changed and your other sessions were ended.'],
    closing: 'If this was not you, please tell your administrator at once.',
  })
}
