import type { BatchCounts } from '#contract/batches.ts'
import type { JobKind } from '#contract/entities/job.ts'
import { t } from '#contract/texts/t.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

/** Builds links from PUBLIC_URL, never from the host that a request names. */
function link(publicUrl: string, path: string, token: string): string {
  return `${publicUrl}${path}?token=${token}`
}

export function verificationMail(
  addressee: MailRecipient,
  options: { publicUrl: string; token: string },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Verify your e-mail address'),
    paragraphs: [t('Please verify this e-mail address to finish your registration. The link expires in 24 hours.')],
    link: { label: t('Verify e-mail address'), url: link(options.publicUrl, '/verify-email', options.token) },
    closing: t('If you did not register, you can ignore this mail.'),
  }))
}

export function passwordResetMail(
  addressee: MailRecipient,
  options: { publicUrl: string; token: string; code: string },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Your password reset code'),
    paragraphs: [t('Enter this code to reset your password, or open the link. Both expire in 10 minutes.')],
    code: options.code,
    link: { label: t('Reset password'), url: link(options.publicUrl, '/reset-password', options.token) },
    closing: t('If you did not ask for this, you can ignore this mail; your password stays as it is.'),
  }))
}

export type TwoFactorEvent = 'enable' | 'disable' | 'backup_codes' | 'passkey_added' | 'passkey_removed'

function twoFactorTexts(): Record<TwoFactorEvent, { subject: string; text: string }> {
  return {
    enable: {
      subject: t('Two-factor authentication was switched on'),
      text: t('Two-factor authentication was switched on for your account and your other sessions were ended.'),
    },
    disable: {
      subject: t('Two-factor authentication was switched off'),
      text: t('Two-factor authentication was switched off for your account and your other sessions were ended.'),
    },
    backup_codes: {
      subject: t('Your backup codes were replaced'),
      text: t('Your account has new backup codes. The old ones no longer work, and your other sessions were ended.'),
    },
    passkey_added: {
      subject: t('A passkey was added to your account'),
      text: t('Your account has a new passkey, which signs in without a password. Your other sessions were ended.'),
    },
    passkey_removed: {
      subject: t('A passkey was removed from your account'),
      text: t('A passkey of your account was removed and no longer signs in. Your other sessions were ended.'),
    },
  }
}

export function twoFactorChangedMail(addressee: MailRecipient, event: TwoFactorEvent): MailTemplate {
  return mailTo(addressee, () => {
    const { subject, text } = twoFactorTexts()[event]
    return { subject, paragraphs: [text], closing: t('If this was not you, please tell your administrator at once.') }
  })
}

/** Reveals nothing about the recording: mails pass through other people's servers. */
export function jobEndedMail(
  addressee: MailRecipient,
  { kind, isDone, url }: { kind: JobKind; isDone: boolean; url: string },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: isDone
      ? t(
          '{kind, select, transcribe {Your transcription is finished} translate {Your translation is finished} other {Your speaker diarization is finished}}',
          { kind },
        )
      : t(
          '{kind, select, transcribe {Your transcription has failed} translate {Your translation has failed} other {Your speaker diarization has failed}}',
          { kind },
        ),
    paragraphs: [
      isDone
        ? t(
            '{kind, select, transcribe {The transcription that you started is finished.} translate {The translation that you started is finished.} other {The speaker diarization that you started is finished.}}',
            { kind },
          )
        : t(
            '{kind, select, transcribe {The transcription that you started has failed.} translate {The translation that you started has failed.} other {The speaker diarization that you started has failed.}}',
            { kind },
          ),
    ],
    link: { label: t('Open the recording'), url },
    closing: t('You can switch these mails off in your settings.'),
  }))
}

/** Names no recording either, for the same reason. */
export function batchEndedMail(
  addressee: MailRecipient,
  { counts, url }: { counts: BatchCounts; url: string },
): MailTemplate {
  const { done, failed, skipped } = counts
  return mailTo(addressee, () => ({
    subject: failed > 0 ? t('Your batch is finished, with failures') : t('Your batch is finished'),
    paragraphs: [
      t('The batch of recordings that you started is finished.'),
      t('{done, number} done, {failed, number} failed, {skipped, number} skipped.', { done, failed, skipped }),
    ],
    link: { label: t('Open the library'), url },
    closing: t('You can switch these mails off in your settings.'),
  }))
}

/** Sent when the recipient has switched these mails off, in case it was somebody else. */
export function securityAlertsOffMail(addressee: MailRecipient): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Security alerts were switched off'),
    paragraphs: [t('You no longer get a mail when your password or your second factor is changed.')],
    closing: t('If this was not you, please tell your administrator at once.'),
  }))
}

/** Sent by a super admin to check that mails arrive; greets no one by name, because the address may be someone else's. */
export function testMail({ language }: Pick<MailRecipient, 'language'>): MailTemplate {
  return mailTo({ firstName: '', username: '', language }, () => ({
    subject: t('Test mail'),
    paragraphs: [t('This mail was sent from the administration to try the mail server. It works.')],
    closing: t('Nothing needs to be done.'),
  }))
}

export function passwordChangedMail(addressee: MailRecipient): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Your password was changed'),
    paragraphs: [t('The password of your account was changed and your other sessions were ended.')],
    closing: t('If this was not you, please tell your administrator at once.'),
  }))
}
