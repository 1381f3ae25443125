import { useMemo } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { toastUndo } from '../../../shared/action-toast.tsx'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { VirtualList } from '../panel/virtual-list.tsx'
import { HitRow } from './hit-row.tsx'
import type { LineHit } from '../state/line-hits.ts'
import { activeHitKeyAtom, useHitNavigation } from './use-hit-navigation.ts'
import { useReviewedHits } from './use-reviewed-hits.ts'

const estimatedRowPx = 84

/** Hits by time; R marks the focused one as reviewed. */
export function HitList({ hits }: { hits: LineHit[] }) {
  const { recording, lines, reviewedHits } = useDesk()
  const { mark } = useReviewedHits(recording.id)
  const { canEdit } = usePermissions()
  const { goToHit } = useHitNavigation()
  const activeKey = useAtomValue(activeHitKeyAtom)
  const visitedIndex = hits.findIndex(({ key }) => key === activeKey)
  const activeIndex = Math.max(0, visitedIndex)
  const lineById = useMemo(() => new Map(lines.map((line) => [line.id, line])), [lines])

  function toggleReviewed({ key, keyword }: LineHit) {
    const isReviewed = !reviewedHits.has(key)
    mark([key], isReviewed)
    if (isReviewed)
      toastUndo(t('{keyword} marked as reviewed', { keyword: isolateName(keyword) }), () => mark([key], false))
  }

  function withActive(act: (hit: LineHit) => void, index = activeIndex) {
    const hit = hits[index]
    if (hit) act(hit)
  }

  return (
    <VirtualList
      label={t('Hits')}
      items={hits}
      keyOf={({ key }) => key}
      activeIndex={activeIndex}
      isFollowing={visitedIndex >= 0}
      estimatedRowPx={estimatedRowPx}
      onActivate={(index) => withActive(goToHit, index)}
      keys={canEdit ? { r: () => withActive(toggleReviewed) } : {}}
      renderItem={(hit, index) => {
        const line = lineById.get(hit.lineId)
        return (
          line && (
            <HitRow
              hit={hit}
              line={line}
              isActive={hit.key === activeKey}
              isTabStop={index === activeIndex}
              isReviewed={reviewedHits.has(hit.key)}
              onGo={() => goToHit(hit)}
              onPlay={() => goToHit(hit, { play: true })}
              onReview={canEdit ? () => toggleReviewed(hit) : undefined}
            />
          )
        )
      }}
    />
  )
}
