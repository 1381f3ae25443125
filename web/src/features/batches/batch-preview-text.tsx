import { useQuery } from '@tanstack/react-query'
import type { BodyInput } from '#contract/endpoint.ts'
import { batches } from '#contract/endpoints/batches.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import classes from './dialog.module.css'

/** Says how much a batch would do, and what it would skip. */
export function BatchPreviewText({ request }: { request: BodyInput<typeof batches.preview> }) {
  const { data, isError } = useQuery({
    queryKey: ['batch-preview', request],
    queryFn: ({ signal }) => call(batches.preview, { body: request, signal }),
    gcTime: 0,
    placeholderData: (previous) => previous,
  })
  if (isError) return null
  if (!data) {
    return (
      <div className={classes.preview} role="status">
        {t('Counting what there is to do…')}
      </div>
    )
  }
  const { transcriptions, translations, skipped, total, checked } = data
  return (
    <div className={classes.preview} role="status">
      <span>{describeWork(transcriptions, translations)}</span>
      {checked < total && (
        <span>
          {' '}
          {t('Counted in the first {checked, plural, one {# recording} other {# recordings}}.', { checked })}
        </span>
      )}
      {skipped.length > 0 && (
        <ul>
          {skipped.map(({ reason, count }) => (
            <li key={reason}>
              {t('{count, plural, one {# recording} other {# recordings}} skipped: {reason}', { count, reason })}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function describeWork(transcriptions: number, translations: number): string {
  if (transcriptions === 0 && translations === 0) return t('There is nothing to do.')
  if (translations === 0) {
    return t('{count, plural, one {# transcription} other {# transcriptions}} to be made.', { count: transcriptions })
  }
  if (transcriptions === 0) {
    return t('{count, plural, one {# translation} other {# translations}} to be made.', { count: translations })
  }
  return t(
    '{transcriptions, plural, one {# transcription} other {# transcriptions}} and {translations, plural, one {# translation} other {# translations}} to be made.',
    { transcriptions, translations },
  )
}
