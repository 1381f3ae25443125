import { Alert, Button, Modal, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../../shared/api/api-error.ts'
import { formatMoment } from '../../../shared/format.ts'
import { toastSuccess } from '../../../shared/toast.tsx'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import { useDesk } from '../state/desk-context.ts'
import { describeContent, describeLanguages, type NumberedVersion } from './describe-version.ts'
import { useRestoreVersion } from './use-versions.ts'

interface RestoreDialogProps {
  version: NumberedVersion
  current: NumberedVersion
  onClose: () => void
}

/** Asks whether a version becomes current, and says what that changes. */
export function RestoreDialog({ version, current, onClose }: RestoreDialogProps) {
  const { recording } = useDesk()
  const restoring = useRestoreVersion(recording.id)

  function restore() {
    restoring.mutate(version.transcription_id, {
      onSuccess: () => {
        toastSuccess(t('Version {number, number} is current', { number: version.number }))
        onClose()
      },
    })
  }

  return (
    <Modal opened onClose={onClose} title={t('Restore version {number, number}?', { number: version.number })}>
      <Text>
        {t(
          'Version {number, number} of {moment} becomes current: {languages}, {content}. The transcript, the hits and the exports show it.',
          {
            number: version.number,
            moment: formatMoment(version.finished_at),
            languages: describeLanguages(version.request),
            content: describeContent(version),
          },
        )}
      </Text>
      <Text mt="sm">
        {t(
          'The present version {number, number} stays in the list with its edits and translations, and can be restored too.',
          { number: current.number },
        )}
      </Text>
      {restoring.isError && (
        <Alert color="red" role="alert" mt="md">
          {messageOf(restoring.error, t('The version could not be restored. Please try again.'))}
        </Alert>
      )}
      <DialogActions onCancel={onClose} mt="lg">
        <Button onClick={restore} loading={restoring.isPending} data-autofocus>
          {t('Restore')}
        </Button>
      </DialogActions>
    </Modal>
  )
}
