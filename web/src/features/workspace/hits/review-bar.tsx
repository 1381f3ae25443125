import { Group, Text } from '@mantine/core'
import IconChecks from '@tabler/icons-react/dist/esm/icons/IconChecks.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { toastUndo } from '../../../shared/action-toast.tsx'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import type { LineHit } from '../state/line-hits.ts'
import { useHitNavigation } from './use-hit-navigation.ts'
import { useReviewedHits } from './use-reviewed-hits.ts'
import common from '../../../shared/ui/common.module.css'

interface ReviewBarProps {
  /** The hits in the list. */
  hits: LineHit[]
  /** All hits of the chosen texts. */
  all: LineHit[]
}

/** Steps through the hits, shows how many are left to review, and can mark all that are shown. */
export function ReviewBar({ hits, all }: ReviewBarProps) {
  const { recording, reviewedHits } = useDesk()
  const { mark } = useReviewedHits(recording.id)
  const { canEdit } = usePermissions()
  const { next, previous } = useHitNavigation()
  const leftCount = all.filter(({ key }) => !reviewedHits.has(key)).length
  const unreviewedKeys = hits.flatMap(({ key }) => (reviewedHits.has(key) ? [] : [key]))

  function markAll() {
    mark(unreviewedKeys, true)
    const count = unreviewedKeys.length
    toastUndo(t('{count, plural, one {# hit marked as reviewed} other {# hits marked as reviewed}}', { count }), () =>
      mark(unreviewedKeys, false),
    )
  }

  return (
    <Group gap="0.25rem 0.5rem" py="xs" px="md" className={common.lineBelow}>
      <Text size="sm" c="dimmed" aria-live="polite" flex={1} className={common.figures}>
        {leftCount === 0
          ? t('All {count, number} reviewed', { count: all.length })
          : t('{leftCount, number} of {count, number} left to review', { leftCount, count: all.length })}
      </Text>
      <IconButton label={t('Previous hit (P)')} onClick={previous}>
        <IconChevronUp size={18} stroke={1.5} />
      </IconButton>
      <IconButton label={t('Next hit (N)')} onClick={next}>
        <IconChevronDown size={18} stroke={1.5} />
      </IconButton>
      {canEdit && (
        <IconButton label={t('Mark all shown as reviewed')} disabled={unreviewedKeys.length === 0} onClick={markAll}>
          <IconChecks size={18} stroke={1.5} />
        </IconButton>
      )}
    </Group>
  )
}
