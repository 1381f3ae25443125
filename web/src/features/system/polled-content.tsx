import { Alert, Button, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'

interface PolledContentProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'isPending' | 'isError' | 'refetch'>
  /** Shown while there is nothing to show yet, and if loading fails. */
  loadingText: string
  failureText: string
  children: (data: Data) => ReactNode
}

/** Polled content. While the server does not respond, the last state stays, with a notice that it is out of date. */
export function PolledContent<Data>({
  query: { data, isPending, isError, refetch },
  loadingText,
  failureText,
  children,
}: PolledContentProps<Data>) {
  if (data !== undefined) {
    return (
      <>
        {isError && (
          <Alert color="red" mb="md" title={t('This is not up to date')}>
            <Text size="sm">{t('The server does not answer. It is asked again every few seconds.')}</Text>
            <Button variant="default" size="xs" mt="xs" onClick={() => void refetch()}>
              {t('Try again')}
            </Button>
          </Alert>
        )}
        {children(data)}
      </>
    )
  }
  if (isPending) return <LoadingNotice label={loadingText} />
  return <ErrorNotice message={failureText} onRetry={() => void refetch()} />
}
