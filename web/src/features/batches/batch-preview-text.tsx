import { useQuery } from '@tanstack/react-query'
import type { BodyInput } from '#contract/endpoint.ts'
import { batches } from '#contract/endpoints/batches.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { countRecordings } from './describe-batch.ts'
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
      {checked < total && <span> Counted in the first {countRecordings(checked)}.</span>}
      {skipped.length > 0 && (
        <ul>
          {skipped.map(({ reason, count }) => (
            <li key={reason}>
              {countRecordings(count)} skipped: {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function describeWork(transcriptions: number, translations: number): string {
  const parts = [count(transcriptions, 'transcription'), count(translations, 'translation')].filter(
    (part) => part !== '',
  )
  return parts.length > 0 ? `${parts.join(' and ')} to be made.` : t('There is nothing to do.')
}

function count(number: number, what: string): string {
  return number === 0 ? '' : `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
