import { useMemo } from 'react'
import { atom, useAtomValue, useSetAtom } from '../../../shared/jotai.ts'
import { useDesk } from '../state/desk-context.ts'
import { activeLineIdAtom, useNavigation } from '../state/navigation.ts'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { filterHits, hitFilterAtom } from './filter-hits.ts'
import type { LineHit } from '../state/line-hits.ts'

/** Playing a hit begins this long before it, so that it is heard in its sentence. */
export const hitLeadSeconds = 2

/** The hit that was visited last; null before the first. */
export const activeHitKeyAtom = atom<string | null>(null)

/** Where next and previous count from. Read only when they are called, so that nothing re-renders as the playhead moves. */
const positionAtom = atom(null, (get): HitPosition => ({
  hitKey: get(activeHitKeyAtom),
  lineId: get(activeLineIdAtom),
  time: get(playerTimeAtom),
}))

interface HitPosition {
  hitKey: string | null
  lineId: string | null
  time: number
}

/** Returns the hits that pass the panel's filter, and functions that go to them. */
export function useHitNavigation() {
  const { hits, reviewedHits, lines } = useDesk()
  const filter = useAtomValue(hitFilterAtom)
  const player = usePlayer()
  const { goToLine } = useNavigation()
  const setActiveHitKey = useSetAtom(activeHitKeyAtom)
  const readPosition = useSetAtom(positionAtom)
  const shown = useMemo(() => filterHits(hits, filter, reviewedHits), [hits, filter, reviewedHits])

  /** Goes to a hit: its line is scrolled to, and the playback position is 2 s before it. */
  function goToHit(hit: LineHit, { play = false } = {}) {
    setActiveHitKey(hit.key)
    goToLine(hit.lineId)
    player.seek(Math.max(0, hit.time - hitLeadSeconds))
    if (play && !player.isPlaying) player.toggle()
  }

  function step(by: 1 | -1) {
    const { hitKey, lineId, time } = readPosition()
    const at = hits.findIndex(({ key }) => key === hitKey)
    const active = hits[at]
    const line = lines.find(({ id }) => id === lineId)
    // Another line was chosen since, or there is no hit to count from.
    const isElsewhere = !active || (line !== undefined && line.id !== active.lineId)
    const isAfter = (hit: LineHit, index: number) => (isElsewhere ? hit.time >= (line?.start ?? time) : index > at)
    const isBefore = (hit: LineHit, index: number) => (isElsewhere ? hit.time < (line?.start ?? time) : index < at)
    const isShown = new Set(shown)
    const isWanted = by === 1 ? isAfter : isBefore
    const candidates = hits.filter((hit, index) => isShown.has(hit) && isWanted(hit, index))
    const found = by === 1 ? candidates[0] : candidates.at(-1)
    if (found) goToHit(found)
  }

  return { shown, goToHit, next: () => step(1), previous: () => step(-1) }
}
