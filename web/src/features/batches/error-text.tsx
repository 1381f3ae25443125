import { Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'

/** Says why a call failed and what to do about it; renders nothing for an aborted call. */
export function ErrorText({ error }: { error: Error | null }) {
  if (!error || error.name === 'AbortError') return null
  const help = error instanceof ApiError ? error.help : undefined
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {messageOf(error, t('The server cannot be reached.'))} {help}
    </Text>
  )
}
