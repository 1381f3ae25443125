import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import { useDesk } from '../state/desk-context.ts'
import { type TranscriptionChoice, useWork } from '../state/work-context.ts'
import { TranscriptionForm } from './transcription-form.tsx'

interface TranscriptionDialogProps {
  /** The initial choice; null while the dialog is closed. */
  choice: TranscriptionChoice | null
  onClose: () => void
}

/** Asks before transcribing a recording again: with which options, and says that the version on screen is kept. */
export function TranscriptionDialog({ choice, onClose }: TranscriptionDialogProps) {
  return (
    <Modal opened={choice !== null} onClose={onClose} title={t('Transcribe again')} size="lg">
      {choice && <Question initial={choice} onClose={onClose} />}
    </Modal>
  )
}

function Question({ initial, onClose }: { initial: TranscriptionChoice; onClose: () => void }) {
  const { recording } = useDesk()
  const { transcribe, isBusy } = useWork()
  const [choice, setChoice] = useState(initial)
  const [names, setNames] = useState(transcribe.names)

  function start() {
    transcribe.start(choice, names)
    onClose()
  }

  return (
    <Stack gap={20}>
      <Text size="sm">
        {t(
          'A new version is made. The version on screen stays readable meanwhile and is kept with its edits and translations: the tab Versions compares and restores it.',
        )}
      </Text>
      <TranscriptionForm
        choice={choice}
        onChange={setChoice}
        names={names}
        onNamesChange={setNames}
        channels={recording.is_stereo ? 'two' : 'one'}
      />
      <DialogActions onCancel={onClose}>
        <Button disabled={isBusy} onClick={start}>
          {t('Transcribe again')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
