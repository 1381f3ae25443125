import { Stack } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import type { Batch } from '#contract/batches.ts'
import { t } from '#contract/texts/t.ts'
import { isOpen, useBatches } from '../../shared/batches/use-batches.ts'
import { atomWithStorage, useAtom } from '../../shared/jotai.ts'
import { BatchBar } from './batch-bar.tsx'
import { BatchDetails } from './batch-details.tsx'

const Dismissed = z.array(z.string())
/** More than any user has in the 30 days for which batches are kept. */
const maxKept = 200

const storage = {
  getItem(key: string, initial: string[]): string[] {
    try {
      return Dismissed.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null')).data ?? initial
    } catch {
      return initial
    }
  },
  setItem: (key: string, value: string[]) => localStorage.setItem(key, JSON.stringify(value)),
  removeItem: (key: string) => localStorage.removeItem(key),
}

const dismissedAtom = atomWithStorage<string[]>('awaz_dismissed_batches', [], storage, { getOnInit: true })

/** Returns which ended batches this browser no longer shows, and how to dismiss one. */
function useDismissed() {
  const [dismissed, setDismissed] = useAtom(dismissedAtom)
  return { dismissed, dismiss: (name: string) => setDismissed((known) => [...known, name].slice(-maxKept)) }
}

/** Shows running batches, and batches that ended with failures until dismissed; renders nothing if there are none. */
export function BatchProgress() {
  const { data: batches = [] } = useBatches()
  const { dismissed, dismiss } = useDismissed()
  const [detailedId, setDetailedId] = useState<string | null>(null)
  const shown = batches.filter(
    (batch) => isOpen(batch) || (batch.counts.failed > 0 && !dismissed.includes(nameEnd(batch))),
  )
  const detailed = batches.find(({ id }) => id === detailedId)
  return (
    <>
      {shown.length > 0 && (
        <Stack
          component="ul"
          gap={0}
          flex="none"
          m="0.25rem 1rem 0.5rem"
          bd="1px solid var(--awaz-line)"
          bdrs="md"
          bg="var(--awaz-surface)"
          aria-label={t('Batches')}
        >
          {shown.map((batch) => (
            <BatchBar
              key={batch.id}
              batch={batch}
              onOpen={() => setDetailedId(batch.id)}
              onDismiss={() => dismiss(nameEnd(batch))}
            />
          ))}
        </Stack>
      )}
      {detailed && <BatchDetails batch={detailed} onClose={() => setDetailedId(null)} />}
    </>
  )
}

/** Names one end of a batch, so that a batch that is retried and fails again is shown again. */
function nameEnd({ id, finished_at: finishedAt }: Batch): string {
  return `${id}:${finishedAt}`
}
