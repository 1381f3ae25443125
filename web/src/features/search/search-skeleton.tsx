import { Skeleton, Stack } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import common from '../../shared/ui/common.module.css'

const callCount = 3
const lineCount = 3

/** The shape of results while the first are loaded. */
export function SearchSkeleton() {
  return (
    <Stack role="status" aria-label={t('Searching')}>
      {Array.from({ length: callCount }, (_, call) => (
        <Stack key={call} py="md" px={20} className={common.surface}>
          <Skeleton height={14} width="32%" />
          {Array.from({ length: lineCount }, (__, line) => (
            <Skeleton key={line} height={12} width={`${88 - line * 16}%`} />
          ))}
        </Stack>
      ))}
    </Stack>
  )
}
