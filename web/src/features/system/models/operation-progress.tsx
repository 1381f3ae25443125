import { Button, Progress, Text } from '@mantine/core'
import type { Model } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import classes from './models.module.css'
import { useModelCommands } from './use-models.ts'
import { describeOperation, describeProgress, percentOf } from './descriptions.ts'

interface OperationProgressProps {
  operation: ModelOperation
  /** The models that the operation may name. */
  models: Model[]
}

/** The progress of an operation, with a button that cancels it. */
export function OperationProgress({ operation, models }: OperationProgressProps) {
  const { cancel, isBusy } = useModelCommands()
  const name = describeOperation(operation, models)
  const percent = percentOf(operation)
  return (
    <div className={classes.progress}>
      <div>
        <Text size="sm" role="status">
          {describeProgress(operation)}
        </Text>
        <Progress
          value={percent ?? 100}
          animated={percent === null}
          mt={6}
          aria-label={t('Progress: {name}', { name })}
          {...(percent === null && { 'aria-valuetext': t('not known') })}
        />
      </div>
      <Button
        variant="default"
        size="xs"
        loading={isBusy}
        aria-label={t('Cancel: {name}', { name })}
        onClick={() => void cancel(operation.id)}
      >
        {t('Cancel')}
      </Button>
    </div>
  )
}
