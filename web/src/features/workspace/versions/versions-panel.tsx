import { Text, Alert, Button, Modal } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { messageOf } from '../../../shared/api/api-error.ts'
import { formatMoment } from '../../../shared/format.ts'
import { toastSuccess } from '../../../shared/toast.tsx'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { CompareDialog } from './compare-dialog.tsx'
import { numberVersions, type NumberedVersion, describeContent, describeLanguages } from './describe-version.ts'
import { useVersions, useRestoreVersion } from './use-versions.ts'
import { VersionRow } from './version-row.tsx'

interface RestoreDialogProps {
  version: NumberedVersion
  current: NumberedVersion
  onClose: () => void
}

/** The transcriptions of the recording on screen, newest first: each can be compared with the current one and restored. */
export function VersionsPanel() {
  return (
    <Panel title={t('Versions')} icon={<IconHistory size={20} stroke={1.5} aria-hidden />} isFlush>
      <Versions />
    </Panel>
  )
}

function Versions() {
  const { recording } = useDesk()
  const { data: found, isPending, isError, refetch } = useVersions(recording.id)
  const [compared, setCompared] = useState<NumberedVersion | null>(null)
  const { isOwner } = usePermissions()
  const [restored, setRestored] = useState<NumberedVersion | null>(null)
  const versions = found && numberVersions(found)
  const current = versions?.find((version) => version.is_current)
  if (isPending) return <LoadingNotice label={t('Loading the versions')} />
  if (isError && !versions)
    return <ErrorNotice message={t('The versions could not be loaded.')} onRetry={() => void refetch()} />
  if (!current) {
    return (
      <Text py="lg" px="md" c="dimmed" fz="sm" ta="center">
        {t('Nothing has been transcribed yet. Each transcription becomes a version here, and none replaces another.')}
      </Text>
    )
  }
  return (
    <>
      <ol aria-label={t('Versions')}>
        {versions?.map((version) => (
          <VersionRow
            key={version.transcription_id}
            version={version}
            onCompare={() => setCompared(version)}
            onRestore={isOwner ? () => setRestored(version) : undefined}
          />
        ))}
      </ol>
      {versions?.length === 1 && isOwner && (
        <Text py="lg" px="md" c="dimmed" fz="sm" ta="center">
          {t('This is the only version. Transcribe again, for instance in another language, to compare the two here.')}
        </Text>
      )}
      {compared && (
        <CompareDialog
          version={compared}
          current={current}
          onClose={() => setCompared(null)}
          onRestore={
            isOwner
              ? () => {
                  setCompared(null)
                  setRestored(compared)
                }
              : undefined
          }
        />
      )}
      {restored && <RestoreDialog version={restored} current={current} onClose={() => setRestored(null)} />}
    </>
  )
}

/** Asks whether a version should become current, and explains what that changes. */
function RestoreDialog({ version, current, onClose }: RestoreDialogProps) {
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
