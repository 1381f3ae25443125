import { Button, Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { defaultTranscriptionLanguage, TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { batches } from '#contract/endpoints/batches.ts'
import { useBatchMutations } from '../../shared/batches/use-batches.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { sameLanguage } from '../workspace/languages/selected-languages.ts'
import type { TranscriptionChoice } from '../workspace/state/work-context.ts'
import { defaultSpeakerSettings, toSpeakerRequest } from '../workspace/transcription/speaker-options.tsx'
import { TranscriptionForm } from '../workspace/transcription/transcription-form.tsx'
import { call } from '../../shared/api/client.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import classes from './dialog.module.css'
import { describeReason } from './describe-reason.ts'
import { ErrorText } from './error-text.tsx'
import { TargetLanguagesPicker } from './target-languages-picker.tsx'

/** Says how much work a batch would do, and what it would skip. */
function BatchPreviewText({ request }: { request: BodyInput<typeof batches.preview> }) {
  const { data, isError } = useQuery({
    queryKey: ['batch-preview', request],
    queryFn: ({ signal }) => call(batches.preview, { body: request, signal }),
    gcTime: 0,
    placeholderData: (previous) => previous,
  })
  if (isError) return null
  if (!data) {
    return (
      <div className={classes.preview} role="status">
        {t('Counting what there is to do…')}
      </div>
    )
  }
  const { transcriptions, translations, skipped, total, checked } = data
  return (
    <div className={classes.preview} role="status">
      <span>{describeWork(transcriptions, translations)}</span>
      {checked < total && (
        <span>
          {' '}
          {t('Counted in the first {checked, plural, one {# recording} other {# recordings}}.', { checked })}
        </span>
      )}
      {skipped.length > 0 && (
        <ul>
          {skipped.map(({ reason, count }) => (
            <li key={reason}>
              {t('{count, plural, one {# recording} other {# recordings}} skipped: {reason}', {
                count,
                reason: describeReason(reason),
              })}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function describeWork(transcriptions: number, translations: number): string {
  if (transcriptions === 0 && translations === 0) return t('There is nothing to do.')
  if (translations === 0) {
    return t('{count, plural, one {# transcription} other {# transcriptions}} to be made.', { count: transcriptions })
  }
  if (transcriptions === 0) {
    return t('{count, plural, one {# translation} other {# translations}} to be made.', { count: translations })
  }
  return t(
    '{transcriptions, plural, one {# transcription} other {# transcriptions}} and {translations, plural, one {# translation} other {# translations}} to be made.',
    { transcriptions, translations },
  )
}

interface BatchDialogProps {
  selection: LibrarySelection
  count: number
  isOpen: boolean
  /** Whether the batch transcribes; otherwise it translates recordings that are already transcribed. */
  hasTranscription: boolean
  onStarted: () => void
  onClose: () => void
}

/** Asks for the languages of a batch, says what it would do, and starts it. */
export function BatchDialog({ isOpen, ...props }: BatchDialogProps) {
  const { count, hasTranscription, onClose } = props
  const title = hasTranscription
    ? t('Transcribe {count, plural, one {# recording} other {# recordings}}', { count })
    : t('Translate {count, plural, one {# recording} other {# recordings}}', { count })
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="lg">
      {isOpen && <BatchForm {...props} />}
    </Modal>
  )
}

function BatchForm({ selection, hasTranscription, onStarted, onClose }: Omit<BatchDialogProps, 'isOpen'>) {
  const [choice, setChoice] = useState(initialChoice)
  const [names, setNames] = useState<string[]>([])
  const [targets, setTargets] = useState<string[]>(hasTranscription ? [] : ['en'])
  const [redo, setRedo] = useState(false)
  const { create } = useBatchMutations()
  const transcribe = hasTranscription ? toTranscription(choice, names) : null
  const request = { selection, transcribe, target_languages: targets, redo }
  const isComplete = transcribe !== null || targets.length > 0

  function start() {
    create.mutate(request, {
      onSuccess: ({ total }) => {
        toastSuccess(
          t(
            'The batch of {total, plural, one {# recording} other {# recordings}} has begun. It goes on when you leave this page.',
            { total },
          ),
        )
        onStarted()
      },
    })
  }

  return (
    <Stack>
      {hasTranscription && (
        <>
          <TranscriptionForm
            choice={choice}
            onChange={setChoice}
            names={names}
            onNamesChange={setNames}
            channels="any"
          />
          <Text size="sm" c="dimmed">
            {t(
              'The right channel, and voices on a channel, count where a recording has two channels, the number of speakers where it has one. What is transcribed again becomes a new version; the earlier ones are kept.',
            )}
          </Text>
        </>
      )}
      <TargetLanguagesPicker
        label={hasTranscription ? t('Then translate to') : t('Translate to')}
        targets={targets}
        onChange={setTargets}
      />
      <Checkbox
        label={t('Do again what is done already')}
        description={t('Otherwise recordings that were done with equal choices are skipped')}
        checked={redo}
        onChange={(event) => setRedo(event.currentTarget.checked)}
      />
      {isComplete && <BatchPreviewText request={request} />}
      <ErrorText error={create.error} />
      <DialogActions onCancel={onClose} mt="xs">
        <Button loading={create.isPending} disabled={!isComplete} onClick={start}>
          {t('Start')}
        </Button>
      </DialogActions>
    </Stack>
  )
}

const initialChoice: TranscriptionChoice = {
  languages: { language: defaultTranscriptionLanguage, rightLanguage: sameLanguage },
  speakers: defaultSpeakerSettings,
  model: null,
}

/** Returns the choice in the form that requests take, without defaults; the pickers offer no other languages. */
function toTranscription({ languages, speakers, model }: TranscriptionChoice, names: string[]) {
  const left = TranscriptionLanguageChoice.catch(defaultTranscriptionLanguage).parse(languages.language)
  const right = TranscriptionLanguageChoice.safeParse(languages.rightLanguage).data ?? left
  const both: [typeof left, typeof right] = [left, right]
  return {
    language: left,
    channel_languages: right === left ? null : both,
    ...(model !== null && { model }),
    ...(names.length > 0 && { names }),
    ...toSpeakerRequest(speakers, { isStereo: false }),
    ...toSpeakerRequest(speakers, { isStereo: true }),
  }
}
