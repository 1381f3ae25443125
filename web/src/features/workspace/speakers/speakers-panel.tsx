import { Box, Button, Group, Text } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { Panel } from '../../../shared/ui/panel.tsx'
import { SaveFailureAlert, SaveStatus } from './save-notice.tsx'
import { describeSeparation } from './separation.ts'
import { useSpeakers } from './recording-speakers.ts'
import { SpeakerRow } from './speaker-row.tsx'
import type { useSpeakerCorrections } from './use-speaker-corrections.ts'

interface SpeakersPanelProps {
  transcription: TranscriptionResult
  editing: ReturnType<typeof useSpeakerCorrections>
}

/** Who speaks in the recording, where and for how long; names and merges are corrected here. */
export function SpeakersPanel({ transcription, editing }: SpeakersPanelProps) {
  const { voices } = useSpeakers()
  const { state, lastChange, undo } = editing
  if (transcription.segments.length === 0) return null
  return (
    <Panel
      title={t('Speakers')}
      icon={<IconUsers size={20} stroke={1.5} aria-hidden />}
      note={
        <Text span size="sm" c="dimmed">
          {describeSeparation(transcription)}
        </Text>
      }
      actions={
        voices.length > 0 && (
          <Group gap="0.25rem 0.5rem" miw={0}>
            <SaveStatus state={state} lastChange={lastChange} />
            {lastChange !== undefined && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                leftSection={<IconArrowBackUp size={16} stroke={1.5} aria-hidden />}
                onClick={undo}
                title={t('Undo: {lastChange}', { lastChange })}
              >
                {t('Undo')}
              </Button>
            )}
          </Group>
        )
      }
      isFlush
    >
      <SaveFailureAlert state={state} onRetry={editing.retry} onDiscard={editing.discard} />
      {voices.length === 0 ? (
        <Text c="dimmed" size="sm" py={14} px={20}>
          {t('Only one voice was found. If more people speak, choose their number when you transcribe again.')}
        </Text>
      ) : (
        <Box component="ul" py={6} px={0} aria-label={t('Speakers')}>
          {voices.map((voice) => (
            <SpeakerRow key={voice.label} voice={voice} editing={editing} />
          ))}
        </Box>
      )}
    </Panel>
  )
}
