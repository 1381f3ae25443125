import { t } from '#contract/texts/t.ts'
import { copyText } from '../../../shared/clipboard.ts'
import { formatClock } from '../../../shared/format.ts'
import { toastError, toastSuccess } from '../../../shared/toast.tsx'
import type { ConversationLine } from '../conversation/conversation-line.ts'
import { useDesk } from '../desk/desk-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'

/** Returns what copies a line: its words with time and speaker, the same with a link that opens the recording there, and the link. */
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

  async function copy(text: string, what: string) {
    try {
      await copyText(text)
      toastSuccess(`${what} copied`)
    } catch {
      toastError(`The ${what.toLowerCase()} could not be copied`)
    }
  }

  return {
    copyLine: (line: ConversationLine) => copy(textOf(line), t('Line')),
    copyQuote: (line: ConversationLine) => copy(`${textOf(line)}\n${linkOf(line)}`, t('Quote')),
    copyLink: (line: ConversationLine) => copy(linkOf(line), t('Link')),
  }
}
