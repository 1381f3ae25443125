import { Button, Stack, Text, Title } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { useWork } from '../state/work-context.ts'
import { TranscriptionForm } from './transcription-form.tsx'
import classes from './transcription-start.module.css'

/** Asks what is spoken in a recording that has no transcript yet, and starts transcribing (audio-workflow specification, section 2). */
export function TranscriptionStart() {
  const { recording } = useDesk()
  const { transcribe, isBusy } = useWork()
  const { isOwner } = usePermissions()
  if (!isOwner) return <NotYet />
  return (
    <div className={classes.scroller}>
      <Stack component="section" gap={20} w="min(34rem, 100%)" aria-labelledby="transcription-start">
        <div>
          <Title order={2} id="transcription-start">
            {t('Not transcribed yet')}
          </Title>
          <Text c="dimmed">
            {t('Choose the language that is spoken, then start. The words appear while they are found.')}
          </Text>
        </div>
        <TranscriptionForm
          choice={transcribe.choice}
          onChange={transcribe.setChoice}
          names={transcribe.names}
          onNamesChange={transcribe.setNames}
          channels={recording.is_stereo ? 'two' : 'one'}
        />
        <Button
          size="md"
          loading={transcribe.isStarting}
          disabled={isBusy}
          onClick={() => transcribe.start(transcribe.choice, transcribe.names)}
        >
          {recording.is_stereo ? t('Start Dual Speaker Transcription') : t('Start Transcription')}
        </Button>
      </Stack>
    </div>
  )
}

/** Shown to a member of a case, who may not start it. */
function NotYet() {
  return (
    <div className={classes.scroller}>
      <Stack component="section" gap={20} w="min(34rem, 100%)" aria-labelledby="transcription-start">
        <Title order={2} id="transcription-start">
          {t('Not transcribed yet')}
        </Title>
        <Text c="dimmed">
          {t('Only the owner of the recording transcribes it. The words appear here while they are found.')}
        </Text>
      </Stack>
    </div>
  )
}
