import { Title } from '@mantine/core'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { comma } from '../../../shared/format.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from '../languages/language-bar.module.css'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { type TranscriptionChoice, useWork } from '../state/work-context.ts'
import { EditNotices } from '../editing/edit-notices.tsx'
import { selectPartByPart, type SelectedLanguages } from '../languages/selected-languages.ts'
import { TranscriptionLanguagePicker } from '../languages/transcription-language-picker.tsx'
import { transcriptText } from '../exports/copy-text.ts'
import { describePendingText } from '../panel/describe-pending-text.ts'
import { TextActions } from '../panel/text-actions.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { RemarksButton } from './remarks-button.tsx'
import { TranscriptionDialog } from './transcription-dialog.tsx'

/** The models that made the transcript; the rest is in the details. */
function ModelNames({ provenance }: Pick<TranscriptionResult, 'provenance'>) {
  if (!provenance) return t('Unknown model')
  if (provenance.length === 0) return t('No speech')
  return <Isolated>{provenance.map(({ model_name }) => model_name).join(comma)}</Isolated>
}

/** The actions on the transcript as a whole. */
export function TranscriptionHalf() {
  const { recording, transcription, editing } = useDesk()
  const { transcribe, diarize, isBusy } = useWork()
  const { canEdit, isOwner } = usePermissions()
  const { describe } = useSpeakers()
  const [asked, setAsked] = useState<TranscriptionChoice | null>(null)
  const { choice } = transcribe
  // There may be unsent edits from before the right to edit was withdrawn.
  const isUnsent = editing.state.status === 'failed' || editing.state.status === 'conflict'

  const ask = (languages: SelectedLanguages) => setAsked({ ...choice, languages })
  // Before the first transcription, the picker is in the form that starts it.
  const job = transcribe.job ?? diarize.job
  const hasPicker = transcription !== null || job !== null

  return (
    <section className={classes.half} aria-labelledby="transcription-head">
      {hasPicker && (
        <TranscriptionLanguagePicker
          selected={choice.languages}
          onSelect={ask}
          isStereo={recording.is_stereo}
          isDisabled={isBusy || !isOwner}
        />
      )}
      <div className={classes.title} data-beside-picker={hasPicker || undefined}>
        <Title order={2} id="transcription-head">
          {t('Transcription')}
        </Title>
        <p className={classes.note}>
          {transcription ? (
            <ModelNames provenance={transcription.provenance} />
          ) : (
            describePendingText(job, t('Transcribing'))
          )}
        </p>
      </div>
      {transcription && (
        <RemarksButton
          warnings={transcription.warnings}
          isBusy={isBusy}
          onPartByPart={isOwner ? (channel) => ask(selectPartByPart(choice.languages, channel)) : undefined}
        />
      )}
      {transcription && (canEdit || isUnsent) && <EditNotices />}
      <div className={classes.actions}>
        {transcription && (
          <TextActions
            kind="transcription"
            getText={() => transcriptText(transcription, describe)}
            recording={recording}
            repeatLabel={t('Retranscribe')}
            isBusy={isBusy}
            onRepeat={isOwner ? () => setAsked(choice) : undefined}
          />
        )}
      </div>
      <TranscriptionDialog choice={asked} onClose={() => setAsked(null)} />
    </section>
  )
}
