import { Alert, Button, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'

interface PolledContentProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'isPending' | 'isError' | 'refetch'>
  /** What is fetched, within a sentence: `the models`. */
  what: string
  children: (data: Data) => ReactNode
}

/** Content that is polled. While the server does not respond, the last state stays under a notice that it is out of date. */
export function PolledContent<Data>({
  query: { data, isPending, isError, refetch },
  what,
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
  if (isPending) return <LoadingNotice label={t('Loading {what}', { what })} />
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded.`
  return <ErrorNotice message={sentence} onRetry={() => void refetch()} />
}
