import { isolateName } from '#contract/isolated-name.ts'
import { isolate } from '#contract/formats/direction.ts'
import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

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
  /** Of the first alerts, where the user chose that mails quote them. */
  quotes: Quote[]
  url: string
}

/** Without quotes it names nothing about the recordings and watch lists: mails pass through other people's servers. */
export function alertDigestMail(
  addressee: MailRecipient,
  { alertCount, recordingCount, quotes, url }: Digest,
): RenderedMail {
  const alerts = count(alertCount, 'new alert')
  const more =
    quotes.length > 0 && quotes.length < alertCount ? [`And ${count(alertCount - quotes.length, 'more')}.`] : []
  return layout({
    subject: alerts,
    greeting: greetingFor(addressee),
    paragraphs: [
      `Your watch lists have ${alerts} in ${count(recordingCount, 'recording')}.`,
      ...quotes.map(describe),
      ...more,
    ],
    link: { label: 'Open your alerts', url },
    closing: 'You can change or switch off these mails on the page Alerts.',
  })
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

function count(number: number, noun: string): string {
  const plural = number === 1 || noun === 'more' ? noun : `${noun}s`
  return `${number.toLocaleString('en')} ${plural}`
}
