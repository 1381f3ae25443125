import { Alert, Text } from '@mantine/core'
import type { Failure } from '../state/work-context.ts'

/** Why the last attempt failed and what can be done. */
export function JobFailure({ failure }: { failure: Failure }) {
  return (
    <Alert color="red" role="alert" mb="md">
      {failure.message}
      {failure.help && (
        <Text size="sm" mt={4}>
          {failure.help}
        </Text>
      )}
    </Alert>
  )
}
