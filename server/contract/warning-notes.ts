import { t } from './texts/t.ts'
import type { TranscriptionWarning } from './transcription.ts'

/** Code of the warning about a passage in which a channel contains only the voice of the other channel. */
export const bleedCode = 'bleed'
/** More passages with bleed than this are summarized in one sentence. */
const maxBleedNotes = 3

/** Returns a sentence for each warning; a channel with bleed in many passages, as in every turn of a call, gets one for all of them. */
export function listWarningNotes(warnings: readonly TranscriptionWarning[]): string[] {
  const byChannel = Map.groupBy(
    warnings.filter(({ code }) => code === bleedCode),
    ({ channel }) => channel,
  )
  return warnings.flatMap((warning) => {
    const passages = warning.code === bleedCode ? (byChannel.get(warning.channel) ?? []) : []
    if (passages.length <= maxBleedNotes) return [warning.message]
    return passages[0] === warning ? [describePassages(warning, passages.length)] : []
  })
}

function describePassages({ channel }: TranscriptionWarning, count: number): string {
  return channel === 1
    ? t(
        'The right channel holds only the voice of the left channel (bleed) in {count} passages, which were left out.',
        { count },
      )
    : t(
        'The left channel holds only the voice of the right channel (bleed) in {count} passages, which were left out.',
        { count },
      )
}
