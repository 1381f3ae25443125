import type { Ref } from 'react'
import { t } from '#contract/texts/t.ts'
import type { SpeakerTranscription } from '#contract/transcription.ts'
import { formatPercent } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import classes from './speaker-heading.module.css'

interface SpeakerHeadingProps {
  speaker: SpeakerTranscription
  index: number
  rowCount: number
  ref: Ref<HTMLLIElement>
}

/** Begins the lines of a speaker: the name, how many lines there are, and the language with its confidence. */
export function SpeakerHeading({ speaker, index, rowCount, ref }: SpeakerHeadingProps) {
  const { describe } = useSpeakers()
  const { segment_count: count, detected_language: language, language_probability: probability } = speaker
  return (
    <li ref={ref} className={classes.heading} data-index={index} aria-setsize={rowCount} aria-posinset={index + 1}>
      <h3 className={classes.name}>
        <SpeakerChip speaker={describe(speaker.speaker)} isNamed />
      </h3>
      <span className={classes.facts}>
        {count === 0
          ? t('No speech was found on this channel.')
          : t('{count, plural, one {# segment} other {# segments}}', { count })}
        {language && ` · ${languageName(language)}`}
        {language && probability !== null && ` · ${formatPercent(probability)}`}
      </span>
    </li>
  )
}
