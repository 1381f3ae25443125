import { Button, Group, Progress, Text } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { Batch } from '#contract/batches.ts'
import { t } from '#contract/texts/t.ts'
import { isOpen, useBatchMutations } from '../../shared/batches/use-batches.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import classes from './batch-progress.module.css'
import { countEnded, describeBatch, describeCounts } from './describe-batch.ts'
import common from '../../shared/ui/common.module.css'

interface BatchBarProps {
  batch: Batch
  onOpen: () => void
  onDismiss: () => void
}

/** One batch on one line: what it does, its progress, and the available actions. */
export function BatchBar({ batch, onOpen, onDismiss }: BatchBarProps) {
  const { cancel, retryFailed } = useBatchMutations()
  const { id, state, counts, total } = batch
  const name = describeBatch(batch)
  const percent = (count: number) => (total > 0 ? (count / total) * 100 : 0)
  return (
    <li className={classes.bar}>
      <Group gap="0 0.75rem" align="baseline" miw={0} fz="sm">
        <span className={classes.name}>{name}</span>
        <Text span inherit c="dimmed" className={common.figures}>
          {describeCounts(batch)}
          {state === 'cancelled' && isOpen(batch) && ` · ${t('being cancelled')}`}
        </Text>
      </Group>
      <Progress.Root size="sm" className={classes.progress}>
        <Progress.Section
          value={percent(countEnded(counts) - counts.failed)}
          aria-label={name}
          aria-valuetext={describeCounts(batch)}
        />
        {counts.failed > 0 && (
          <Progress.Section value={percent(counts.failed)} color="red" aria-label={t('{name}: failed', { name })} />
        )}
      </Progress.Root>
      <Group gap={0} justify="flex-end" wrap="nowrap">
        <Button variant="subtle" size="compact-sm" onClick={onOpen} aria-label={t('Details: {name}', { name })}>
          {t('Details')}
        </Button>
        {isOpen(batch) && state === 'running' && (
          <Button
            variant="subtle"
            size="compact-sm"
            color="gray"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(id)}
            aria-label={t('Cancel: {name}', { name })}
          >
            {t('Cancel')}
          </Button>
        )}
        {!isOpen(batch) && (
          <>
            <Button
              variant="subtle"
              size="compact-sm"
              loading={retryFailed.isPending}
              onClick={() => retryFailed.mutate(id)}
              aria-label={t('Retry failed: {name}', { name })}
            >
              {t('Retry failed')}
            </Button>
            <IconButton label={t('Dismiss: {name}', { name })} onClick={onDismiss}>
              <IconX size={16} stroke={1.5} />
            </IconButton>
          </>
        )}
      </Group>
    </li>
  )
}
