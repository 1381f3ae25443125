import type { ReactNode } from 'react'
import { useSpeakers } from './recording-speakers.ts'
import classes from './speaker-block.module.css'
import { SpeakerChip } from './speaker-chip.tsx'

/** Stacks the texts of several speakers. */
export function SpeakerBlocks({ children }: { children: ReactNode }) {
  return <div className={classes.blocks}>{children}</div>
}

interface SpeakerBlockProps {
  /** The speaker's label in the transcription. */
  label: string
  /** Beside the name. */
  facts?: ReactNode
  children: ReactNode
}

/** What one speaker says, under the speaker's name. */
export function SpeakerBlock({ label, facts, children }: SpeakerBlockProps) {
  const speaker = useSpeakers().describe(label)
  return (
    <section className={classes.block} aria-label={speaker.name}>
      <header className={classes.head}>
        <SpeakerChip speaker={speaker} isNamed />
        {facts}
      </header>
      {children}
    </section>
  )
}
