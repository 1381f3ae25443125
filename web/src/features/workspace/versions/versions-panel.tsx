import { Text } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { CompareDialog } from './compare-dialog.tsx'
import { numberVersions, type NumberedVersion } from './describe-version.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { useVersions } from './use-versions.ts'
import { VersionRow } from './version-row.tsx'

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
        {t('Nothing is transcribed yet. Each transcription becomes a version here, and none replaces another.')}
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
          {t(
            'This is the only version. Transcribe again, for instance with another language, and both are here to compare.',
          )}
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
