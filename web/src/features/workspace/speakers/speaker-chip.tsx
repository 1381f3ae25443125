import { isolateName } from '#contract/isolated-name.ts'
import type { SpeakerFacts } from './describe-speaker.ts'
import { PersonName } from './person-name.tsx'
import classes from './speaker-chip.module.css'

/** Shapes alternate, so that consecutive letters differ in more than hue. */
const shapes = ['round', 'square', 'drop'] as const

interface SpeakerChipProps {
  speaker: SpeakerFacts
  /** Whether the name is shown beside the letter. */
  isNamed?: boolean
}

/** A speaker's mark: letter, hue and shape, so that nothing depends on color only. */
export function SpeakerChip({ speaker, isNamed = false }: SpeakerChipProps) {
  const { letter, name, hue } = speaker
  return (
    <span className={classes.speaker} data-voice={hue}>
      {letter && (
        <span className={classes.mark} data-shape={shapes[hue % shapes.length]} title={isolateName(name)}>
          {letter}
        </span>
      )}
      {(isNamed || !letter) && name && <PersonName>{name}</PersonName>}
    </span>
  )
}
