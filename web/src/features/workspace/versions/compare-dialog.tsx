import { Box, Button, Group, Modal, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { formatMoment } from '../../../shared/format.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice } from '../../../shared/ui/notice.tsx'
import { useDesk } from '../state/desk-context.ts'
import { alignVersions } from './align-versions.ts'
import classes from './compare-dialog.module.css'
import { CompareList } from './compare-list.tsx'
import { describeLanguages, describeModels, type NumberedVersion } from './describe-version.ts'
import { useVersion } from './use-versions.ts'

interface CompareDialogProps {
  version: NumberedVersion
  current: NumberedVersion
  onClose: () => void
  /** Undefined if the user may not restore versions. */
  onRestore: (() => void) | undefined
}

/** A version beside the current one, line by line. */
export function CompareDialog({ version, current, onClose, onRestore }: CompareDialogProps) {
  const { recording, transcription } = useDesk()
  const { data, isError, refetch } = useVersion(recording.id, version.transcription_id)
  const isNarrow = useMediaQuery('(max-width: 48em)')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Compare versions')}
      size="72rem"
      fullScreen={isNarrow === true}
      classNames={{ content: classes.dialog ?? '', body: classes.body ?? '' }}
    >
      {!data && isError && (
        <ErrorNotice message={t('The version could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <LoadingNotice label={t('Loading the version')} />}
      {data && transcription && (
        <Comparison
          versions={[version, current]}
          texts={[data, transcription]}
          actions={
            onRestore && (
              <Button size="xs" variant="default" onClick={onRestore}>
                {t('Restore version {number, number}', { number: version.number })}
              </Button>
            )
          }
        />
      )}
    </Modal>
  )
}

interface ComparisonProps {
  /** The other version, then the current one. */
  versions: [NumberedVersion, NumberedVersion]
  texts: [TranscriptionResult, TranscriptionResult]
  actions: React.ReactNode
}

function Comparison({ versions: [version, current], texts: [text, currentText], actions }: ComparisonProps) {
  const [shown, setShown] = useState<'different' | 'all'>('different')
  const rows = useMemo(() => alignVersions(text.segments, currentText.segments), [text, currentText])
  const different = useMemo(() => rows.filter(({ isDifferent }) => isDifferent), [rows])
  return (
    <>
      <Group gap="xs" justify="space-between" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('Lines to show')}
          value={shown}
          onChange={(value) => setShown(value === 'all' ? 'all' : 'different')}
          data={[
            { value: 'different', label: t('Only differences ({count, number})', { count: different.length }) },
            { value: 'all', label: t('All lines ({count, number})', { count: rows.length }) },
          ]}
        />
        {actions}
      </Group>
      <div className={classes.heads}>
        <VersionHead title={t('Version {number, number}', { number: version.number })} version={version} />
        <VersionHead title={t('Version {number, number}, current', { number: current.number })} version={current} />
      </div>
      {shown === 'different' && different.length === 0 ? (
        <Text c="dimmed" py={48} px="md" bd="1px solid var(--awaz-line)" ta="center">
          {t('Both versions say the same.')}
        </Text>
      ) : (
        <CompareList
          rows={shown === 'all' ? rows : different}
          texts={[text, currentText]}
          numbers={[version.number, current.number]}
        />
      )}
    </>
  )
}

function VersionHead({ title, version }: { title: string; version: NumberedVersion }) {
  return (
    <Box miw={0}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {formatMoment(version.finished_at)} · {describeLanguages(version.request)} ·{' '}
        <Isolated>{describeModels(version)}</Isolated>
      </Text>
    </Box>
  )
}
