import { Anchor, Button, Group, Loader, Progress, Stack, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconFileMusic from '@tabler/icons-react/dist/esm/icons/IconFileMusic.mjs'
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { formatPercent, formatSize } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import type { UploadItem } from '../../shared/uploads/uploads.ts'
import classes from './upload.module.css'
import common from '../../shared/ui/common.module.css'

interface UploadRowProps {
  item: UploadItem
  onRetry: () => void
  onRemove: () => void
  onKeep: () => void
  onDiscard: () => Promise<void>
}

/** One file: type, size, upload progress, duration once known, status, and buttons to send it again and to remove it. */
export function UploadRow({ item, onRetry, onRemove, onKeep, onDiscard }: UploadRowProps) {
  const isVideo = /\.(mp4|webm)$/i.test(item.name)
  const TypeIcon = isVideo ? IconMovie : IconFileMusic
  return (
    <Group component="li" gap={14} wrap="nowrap" py={14} px="md" className={common.surface}>
      <span className={classes.type}>
        <TypeIcon size={20} stroke={1.5} aria-label={isVideo ? t('Video') : t('Audio')} />
      </span>
      <Stack gap={6} flex={1} miw={0}>
        <Group gap="0 0.75rem" align="baseline" justify="space-between">
          <Isolated className={classes.name}>{item.name}</Isolated>
          <Text size="sm" c="dimmed" className={classes.numbers}>
            {formatSize(item.size)}
            {item.duration !== undefined && ` · ${t('{seconds, number, ::.0} s', { seconds: item.duration })}`}
          </Text>
        </Group>
        <Progress
          value={item.progress * 100}
          size={4}
          color={item.status === 'error' ? 'red' : 'accent'}
          aria-label={t('Upload of {name}', { name: item.name })}
        />
        <Text size="sm" c={item.status === 'error' ? 'var(--mantine-color-error)' : 'dimmed'}>
          {describe(item)}
          {item.backendId && (
            <>
              {' '}
              <Anchor component={Link} to={`/transcribe?recording=${item.backendId}`} inherit underline="always">
                {t('Open')}
              </Anchor>
            </>
          )}
        </Text>
        {item.duplicateOf && <Duplicate of={item.duplicateOf} onKeep={onKeep} onDiscard={onDiscard} />}
        {item.failure?.help && (
          <Text size="sm" c="dimmed">
            {item.failure.help}
          </Text>
        )}
      </Stack>
      {item.status === 'error' && (
        <IconButton label={t('Retry {name}', { name: isolateName(item.name) })} onClick={onRetry}>
          <IconRefresh size={18} stroke={1.5} />
        </IconButton>
      )}
      <StatusIcon status={item.status} />
      <IconButton label={t('Remove {name}', { name: isolateName(item.name) })} onClick={onRemove}>
        <IconX size={18} stroke={1.5} />
      </IconButton>
    </Group>
  )
}

interface DuplicateProps {
  of: NonNullable<UploadItem['duplicateOf']>
  onKeep: () => void
  onDiscard: () => Promise<void>
}

/** Says that the same file was uploaded before, and asks what to do with this one. */
function Duplicate({ of: { id, name }, onKeep, onDiscard }: DuplicateProps) {
  const [isBusy, setIsBusy] = useState(false)

  async function discard() {
    setIsBusy(true)
    await onDiscard()
    setIsBusy(false)
  }

  return (
    <Stack gap="xs" mt={4} role="group" aria-label={t('This file was uploaded before')}>
      <Text size="sm">{rich('You have this file already, as {name}.', { name: <Isolated>{name}</Isolated> })}</Text>
      <Group gap="xs" align="stretch">
        <Button component={Link} to={`/transcribe?recording=${id}`} variant="default" size="compact-sm">
          {t('Open the earlier one')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={onKeep}>
          {t('Keep both')}
        </Button>
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => void discard()}>
          {t('Remove this upload')}
        </Button>
      </Group>
    </Stack>
  )
}

function describe({ status, progress, failure, size, isPaused }: UploadItem): string {
  if (status === 'waiting') return t('Waiting for the file before it')
  if (status === 'completed') return t('Uploaded.')
  if (status === 'error') return failure?.message ?? t('The upload failed')
  if (isPaused)
    return t('The connection is interrupted at {progress}. The upload goes on by itself.', {
      progress: formatPercent(progress),
    })
  if (progress >= 1) return t('All bytes sent. The server is reading the recording…')
  const sent = t('{sent} of {total}', { sent: formatSize(Math.round(size * progress)), total: formatSize(size) })
  return `${formatPercent(progress)} · ${sent}`
}

function StatusIcon({ status }: Pick<UploadItem, 'status'>) {
  if (status === 'completed') {
    return <IconCircleCheck size={20} stroke={1.5} color="var(--awaz-custom)" aria-label={t('Completed')} />
  }
  if (status === 'error')
    return <IconAlertTriangle size={20} stroke={1.5} color="var(--awaz-threats)" aria-label={t('Error')} />
  return <Loader size={16} aria-label={status === 'waiting' ? t('Waiting') : t('Uploading')} role="img" />
}
