import { Anchor, Box, Button, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { batchItemStates, type Batch, type BatchItem, type BatchItemState } from '#contract/batches.ts'
import { batches } from '#contract/endpoints/batches.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { isOpen, useBatchMutations } from '../../shared/batches/use-batches.ts'
import { formatNumber } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './batch-details.module.css'
import { describeReason } from './describe-reason.ts'
import { describeBatch, describeCounts } from './describe-batch.ts'
import common from '../../shared/ui/common.module.css'

interface BatchDetailsProps {
  batch: Batch
  onClose: () => void
}

const stateLabels: Record<BatchItemState, string> = {
  waiting: t('Waiting'),
  running: t('At work'),
  done: t('Done'),
  failed: t('Failed'),
  skipped: t('Skipped'),
  cancelled: t('Cancelled'),
}
const perPage = 50
const pollMs = 5000

/** Lists the recordings of a batch by outcome, with the reason for each failure. */
export function BatchDetails({ batch, onClose }: BatchDetailsProps) {
  const [state, setState] = useState<BatchItemState>(() => firstState(batch))
  const [page, setPage] = useState(1)
  const { cancel, retryFailed } = useBatchMutations()
  const states = batchItemStates.filter((name) => batch.counts[name] > 0 || name === state)
  return (
    <Modal opened onClose={onClose} title={describeBatch(batch)} size="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {describeCounts(batch)}
        </Text>
        <SegmentedControl
          className={classes.states}
          aria-label={t('What became of them')}
          size="xs"
          data={states.map((value) => ({ value, label: `${stateLabels[value]} ${formatNumber(batch.counts[value])}` }))}
          value={state}
          onChange={(value) => {
            setState(batchItemStates.find((name) => name === value) ?? 'failed')
            setPage(1)
          }}
        />
        <Items batch={batch} state={state} page={page} onPage={setPage} />
        <div className={classes.actions}>
          {isOpen(batch) && batch.state === 'running' && (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(batch.id)}>
              {t('Cancel the rest')}
            </Button>
          )}
          {batch.counts.failed > 0 && (
            <Button loading={retryFailed.isPending} onClick={() => retryFailed.mutate(batch.id)}>
              {t('Retry failed')}
            </Button>
          )}
        </div>
      </Stack>
    </Modal>
  )
}

/** Failures come first, since people look for them. */
function firstState({ counts }: Batch): BatchItemState {
  const order = ['failed', 'running', 'waiting', 'skipped', 'done', 'cancelled'] as const
  return order.find((state) => counts[state] > 0) ?? 'done'
}

interface ItemsProps {
  batch: Batch
  state: BatchItemState
  page: number
  onPage: (page: number) => void
}

function Items({ batch, state, page, onPage }: ItemsProps) {
  const { data, isError } = useQuery({
    queryKey: ['batches', batch.id, state, page],
    queryFn: () => call(batches.get, { params: { id: batch.id }, query: { state, page, per_page: perPage } }),
    refetchInterval: isOpen(batch) ? pollMs : false,
    placeholderData: keepPreviousData,
  })
  if (isError) return <Text role="alert">{t('The recordings of this batch cannot be shown. Please try again.')}</Text>
  if (!data) return <Text c="dimmed">{t('Loading…')}</Text>
  if (data.items.length === 0) return <Text c="dimmed">{t('None.')}</Text>
  return (
    <>
      <ul className={classes.items} aria-label={stateLabels[state]}>
        {data.items.map((item) => (
          <Item key={item.recording_id} item={item} />
        ))}
      </ul>
      {data.pages > 1 && (
        <div className={classes.pages}>
          <Button variant="default" size="compact-sm" disabled={page === 1} onClick={() => onPage(page - 1)}>
            {t('Previous')}
          </Button>
          <Text size="sm">{t('Page {page, number} of {pages, number}', { page, pages: data.pages })}</Text>
          <Button variant="default" size="compact-sm" disabled={page >= data.pages} onClick={() => onPage(page + 1)}>
            {t('Next')}
          </Button>
        </div>
      )}
    </>
  )
}

function Item({ item: { recording_id: id, name, reason } }: { item: BatchItem }) {
  return (
    <Box component="li" py="xs" px={4} className={common.lineBetween}>
      {name === null ? (
        <Text size="sm" c="dimmed">
          {t('Deleted recording')}
        </Text>
      ) : (
        <Anchor component={Link} to={`/transcribe?recording=${id}`} size="sm" className={common.wrap}>
          <Isolated>{name}</Isolated>
        </Anchor>
      )}
      {reason && (
        <Text size="sm" c="dimmed">
          {describeReason(reason)}
        </Text>
      )}
    </Box>
  )
}
