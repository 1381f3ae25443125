import { Button, Progress, Text } from '@mantine/core'
import type { Model } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import classes from './models.module.css'
import { useModelActs } from './use-models.ts'
import { describeOperation, describeProgress, percentOf } from './words.ts'

interface OperationProgressProps {
  operation: ModelOperation
  /** Of which some are known by name. */
  models: Model[]
}

/** How far an operation is, with a way to cancel it. */
export function OperationProgress({ operation, models }: OperationProgressProps) {
  const { cancel, isBusy } = useModelActs()
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
          aria-label={`Progress: ${name}`}
          {...(percent === null && { 'aria-valuetext': 'not known' })}
        />
      </div>
      <Button
        variant="default"
        size="xs"
        loading={isBusy}
        aria-label={`Cancel: ${name}`}
        onClick={() => void cancel(operation.id)}
      >
        Cancel
      </Button>
    </div>
  )
}
