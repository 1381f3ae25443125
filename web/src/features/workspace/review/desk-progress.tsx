import { useMemo } from 'react'
import { useAtomValue } from '../../../shared/jotai.ts'
import { ReviewProgress } from '../../../shared/ui/review-progress.tsx'
import { useDesk } from '../state/desk-context.ts'
import { heardLineIdsAtom, isRead } from './heard-lines.ts'

/** How much of the recording on screen was read. */
export function DeskProgress() {
  const { lines } = useDesk()
  const heard = useAtomValue(heardLineIdsAtom)
  const progress = useMemo(() => {
    const counted = lines.filter(isRead)
    const share = (isCounted: (line: (typeof counted)[number]) => boolean) =>
      counted.length === 0 ? 0 : counted.filter(isCounted).length / counted.length
    return {
      heard: share(({ id }) => heard.has(id)),
      verified: share(({ marks }) => marks.verified.length > 0),
      verified_twice: share(({ marks }) => marks.verified.length > 1),
    }
  }, [lines, heard])
  return <ReviewProgress progress={progress} hasFigures />
}
