import type { SpeakerFacts } from './describe-speaker.ts'
import classes from './line-speaker.module.css'
import { PersonName } from './person-name.tsx'
import { SpeakerChip } from './speaker-chip.tsx'

/** Who speaks a line: the letter, and the name once a person gave one. Two cells of the row's grid. */
export function LineSpeaker({ speaker }: { speaker: SpeakerFacts }) {
  return (
    <>
      <SpeakerChip speaker={speaker} />
      {speaker.isNameGiven && (
        <span className={classes.name} data-voice={speaker.hue} title={speaker.name}>
          <PersonName>{speaker.name}</PersonName>
        </span>
      )}
    </>
  )
}
