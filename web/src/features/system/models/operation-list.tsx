import { Badge, Group, Stack, Text } from '@mantine/core'
import type { Model } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo } from '../../../shared/format.ts'
import common from '../../../shared/ui/common.module.css'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { OperationProgress } from './operation-progress.tsx'
import { isActiveOperation } from './use-models.ts'
import { describeOperation } from './descriptions.ts'

const badges = {
  queued: { color: 'gray', label: t('Waiting') },
  running: { color: 'accent', label: t('Under way') },
  done: { color: 'green', label: t('Done') },
  failed: { color: 'red', label: t('Failed') },
  cancelled: { color: 'gray', label: t('Cancelled') },
} as const

/** The running operations, and how the last ones ended. */
export function OperationList({ operations, models }: { operations: ModelOperation[]; models: Model[] }) {
  return (
    <div className={`${common.surface} ${common.clip}`}>
      <ul>
        {operations.map((operation) => (
          <OperationRow key={operation.id} operation={operation} models={models} />
        ))}
      </ul>
    </div>
  )
}

function OperationRow({ operation, models }: { operation: ModelOperation; models: Model[] }) {
  const { state, outcome, error, requested_by, finished_at, created_at } = operation
  const { color, label } = badges[state]
  return (
    <Stack component="li" gap={4} py={14} px={20} className={`${common.lineBetween} ${common.wrap}`}>
      <Group gap="0.25rem 0.75rem" justify="space-between">
        <Text fw={560}>{describeOperation(operation, models)}</Text>
        <Badge color={color}>{label}</Badge>
      </Group>
      {outcome && <Text size="sm">{translateSentence(outcome.message)}</Text>}
      {outcome && outcome.details.length > 0 && (
        <Text component="ul" inherit c="dimmed" fz="sm" className={common.bullets}>
          {outcome.details.map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
        </Text>
      )}
      {state === 'failed' && error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {translateSentence(error.error)} {error.help && translateSentence(error.help)}
        </Text>
      )}
      {isActiveOperation(operation) && <OperationProgress operation={operation} models={models} />}
      <Text size="xs" c="dimmed">
        {requested_by} · {formatAgo(finished_at ?? created_at)}
      </Text>
    </Stack>
  )
}
