import { Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { HoldFacts } from './hold-facts.tsx'
import { useRecordingHolds } from './use-holds.ts'

/** Shows what keeps a recording from being deleted, as one of its facts; renders nothing until known. */
export function RecordingHold({ recordingId }: { recordingId: string }) {
  const { data } = useRecordingHolds(recordingId)
  if (!data || data.holds.length === 0) return null
  return (
    <section aria-label={t('Legal hold')}>
      <Text fw={600} size="sm" mt="sm">
        {t('Legal hold')}
      </Text>
      {data.holds.map((hold) => (
        <HoldFacts key={`${hold.of} ${hold.set_at}`} hold={hold} />
      ))}
    </section>
  )
}
