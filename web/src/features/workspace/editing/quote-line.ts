import { t } from '#contract/texts/t.ts'
import { copyText } from '../../../shared/clipboard.ts'
import { formatClock } from '../../../shared/format.ts'
import { toastError, toastSuccess } from '../../../shared/toast.tsx'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'

const outcomes = {
  line: { copied: t('Line copied'), failed: t('The line could not be copied') },
  quote: { copied: t('Quote copied'), failed: t('The quote could not be copied') },
  link: { copied: t('Link copied'), failed: t('The link could not be copied') },
}

/** Returns actions that copy a line: its words with time and speaker, the same with a link to that place, or just the link. */
export function useQuoteLine() {
  const { recording } = useDesk()
  const { describe } = useSpeakers()

  function textOf({ segment, start }: ConversationLine): string {
    const { name } = describe(segment?.speaker, segment?.channel)
    return `[${formatClock(start)}] ${name === '' ? '' : `${name}: `}${segment?.text ?? ''}`
  }

  function linkOf({ start }: ConversationLine): string {
    const query = new URLSearchParams({ recording: recording.id, t: String(Math.round(start * 1000) / 1000) })
    return `${location.origin}/transcribe?${query}`
  }

  async function copy(text: string, { copied, failed }: { copied: string; failed: string }) {
    try {
      await copyText(text)
      toastSuccess(copied)
    } catch {
      toastError(failed)
    }
  }

  return {
    copyLine: (line: ConversationLine) => copy(textOf(line), outcomes.line),
    copyQuote: (line: ConversationLine) => copy(`${textOf(line)}\n${linkOf(line)}`, outcomes.quote),
    copyLink: (line: ConversationLine) => copy(linkOf(line), outcomes.link),
  }
}
