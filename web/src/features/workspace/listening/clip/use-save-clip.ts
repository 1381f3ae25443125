import { useState } from 'react'
import { timedLine } from '#contract/formats/direction.ts'
import { t } from '#contract/texts/t.ts'
import { baseName, downloadFile } from '../../../../shared/download.ts'
import { formatClock } from '../../../../shared/format.ts'
import { messageOf } from '../../../../shared/api/api-error.ts'
import { toastError } from '../../../../shared/toast.tsx'
import type { ConversationLine } from '../../state/conversation-line.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useSpeakers } from '../../speakers/recording-speakers.ts'
import { cutClip, type ClipKind } from './cut-clip.ts'

export interface ClipRange {
  start: number
  end: number
}

/** Returns how to save a part of the recording: its sound as a file, and its lines with their translations as a text. */
export function useSaveClip() {
  const { recording, lines } = useDesk()
  const { describe } = useSpeakers()
  const [isSaving, setIsSaving] = useState(false)

  async function save(range: ClipRange, kind: ClipKind) {
    setIsSaving(true)
    const name = `${baseName(recording.name)} ${fileTime(range.start)}-${fileTime(range.end)}`
    try {
      downloadFile(`${name}.${kind.format}`, await cutClip(recording.id, range, kind))
      const spoken = lines.filter(({ segment, start, end }) => segment && start < range.end && end > range.start)
      const nameOf = ({ segment }: ConversationLine) => describe(segment?.speaker, segment?.channel).name || null
      if (spoken.length > 0) downloadFile(`${name}.txt`, writeLines(spoken, nameOf))
    } catch (error) {
      toastError(messageOf(error, t('The clip could not be made. Please try again.')))
    } finally {
      setIsSaving(false)
    }
  }
  return { save, isSaving }
}

function writeLines(lines: ConversationLine[], nameOf: (line: ConversationLine) => string | null): string {
  const texts = lines.map((line) => {
    const { start, segment, language, translated } = line
    const original = timedLine(formatClock(start), nameOf(line), segment?.text ?? '', language)
    return translated?.translated_text ? `${original}\n    ${translated.translated_text}` : original
  })
  return `${texts.join('\n')}\n`
}

/** `1.02` of 62 seconds: file names have no colons. */
function fileTime(seconds: number): string {
  return formatClock(seconds).replaceAll(':', '.')
}
