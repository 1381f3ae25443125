import { Badge } from '@mantine/core'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { formatPercent } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'

/** The detected language with its probability; one badge per speaker if they differ, none if nobody speaks. */
export function DetectedBadges({ transcription }: { transcription: TranscriptionResult }) {
  const { describe } = useSpeakers()
  const speakers = transcription.speaker_transcriptions.filter(({ segment_count }) => segment_count > 0)
  if (transcription.segments.length === 0) return null
  const languages = new Set(speakers.map(({ detected_language }) => detected_language))
  if (languages.size <= 1) return <DetectedBadge {...transcription} title={t('Detected language and confidence')} />
  return speakers.map((entry) => {
    const { letter, name } = describe(entry.speaker)
    return (
      <DetectedBadge
        key={entry.speaker}
        {...entry}
        letter={letter}
        title={t('{name}: detected language and confidence', { name: isolateName(name) })}
      />
    )
  })
}

interface DetectedBadgeProps extends Pick<TranscriptionResult, 'detected_language' | 'language_probability'> {
  letter?: string | null
  title: string
}

function DetectedBadge({ detected_language, language_probability, letter, title }: DetectedBadgeProps) {
  if (!detected_language) return null
  return (
    <Badge title={title}>
      {letter && `${letter}: `}
      {languageName(detected_language)}
      {language_probability !== null && ` · ${formatPercent(language_probability)}`}
    </Badge>
  )
}
