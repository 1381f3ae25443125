import { Title } from '@mantine/core'
import { useState } from 'react'
import classes from '../desk/language-bar.module.css'
import { useDesk } from '../desk/desk-context.ts'
import { useWork } from '../desk/work-context.ts'
import { selectPartByPart } from '../languages/selected-languages.ts'
import { TextActions } from '../panel/text-actions.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { RemarksButton } from './remarks-button.tsx'
import type { TranscriptionChoice } from './transcription-choice.ts'
import { TranscriptionDialog } from './transcription-dialog.tsx'
import { transcriptText } from './transcript-text.ts'

/** What can be done with the transcript as a whole. */
export function TranscriptionHalf() {
  const { recording, transcription } = useDesk()
  const { transcribe, isBusy } = useWork()
  const { describe } = useSpeakers()
  const [asked, setAsked] = useState<TranscriptionChoice | null>(null)
  const { choice } = transcribe

  function askPartByPart(channel: number | undefined) {
    setAsked({ ...choice, languages: selectPartByPart(choice.languages, channel) })
  }

  return (
    <section className={classes.half} aria-labelledby="transcription-head">
      <Title order={2} id="transcription-head">
        Transcription
      </Title>
      {transcription && (
        <RemarksButton warnings={transcription.warnings} isBusy={isBusy} onPartByPart={askPartByPart} />
      )}
      <div className={classes.actions}>
        {transcription && (
          <TextActions
            kind="transcription"
            text={transcriptText(transcription, describe)}
            recording={recording}
            repeatLabel="Retranscribe"
            isBusy={isBusy}
            onRepeat={() => setAsked(choice)}
          />
        )}
      </div>
      <TranscriptionDialog choice={asked} onClose={() => setAsked(null)} />
    </section>
  )
}
