import { isolateName } from '#contract/isolated-name.ts'
import { isolate } from '#contract/formats/direction.ts'
import { t } from '#contract/texts/t.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

interface Quote {
  recording: string
  watchList: string
  timeMs: number
  speaker: string | null
  sentence: string
}

interface Digest {
  alertCount: number
  recordingCount: number
  /** From the first alerts, if the user chose to have mails quote them. */
  quotes: Quote[]
  url: string
}

/** Without quotes it reveals nothing about the recordings and watch lists: mails pass through other people's servers. */
export function alertDigestMail(
  addressee: MailRecipient,
  { alertCount: alerts, recordingCount: recordings, quotes, url }: Digest,
): MailTemplate {
  const hasMore = quotes.length > 0 && quotes.length < alerts
  return mailTo(addressee, () => ({
    subject: t('{alerts, plural, one {# new alert} other {# new alerts}}', { alerts }),
    paragraphs: [
      t(
        'Your watch lists have {alerts, plural, one {# new alert} other {# new alerts}} in {recordings, plural, one {# recording} other {# recordings}}.',
        { alerts, recordings },
      ),
      ...quotes.map(describe),
      ...(hasMore ? [t('And {count, number} more.', { count: alerts - quotes.length })] : []),
    ],
    link: { label: t('Open your alerts'), url },
    closing: t('You can change or switch off these mails on the page Alerts.'),
  }))
}

function describe({ recording, watchList, timeMs, speaker, sentence }: Quote): string {
  const place = [recording, formatTime(timeMs), speaker ?? '', watchList].filter(Boolean).map(isolateName).join(' · ')
  return `${place}: ${isolate(sentence, null)}`
}

function formatTime(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
