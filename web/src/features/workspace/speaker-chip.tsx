import type { SpeakerFacts } from './speakers.ts'
import classes from './workspace.module.css'

/** A speaker's mark: letter, hue and shape (A round, B square), so that colour never stands alone. */
export function SpeakerChip({ speaker, isNamed = false }: { speaker: SpeakerFacts; isNamed?: boolean }) {
  return (
    <span className={classes.speaker} data-speaker={speaker.letter ?? undefined}>
      {speaker.letter && (
        <span className={classes.speakerMark} title={speaker.name}>
          {speaker.letter}
        </span>
      )}
      {(isNamed || !speaker.letter) && speaker.name}
    </span>
  )
}
