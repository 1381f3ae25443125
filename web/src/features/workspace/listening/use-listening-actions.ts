import { useMemo } from 'react'
import { atom, useSetAtom } from '../../../shared/jotai.ts'
import { type ConversationLine, isUncertainLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { lineAt } from '../state/line-at.ts'
import { activeLineIdAtom, useNavigation } from '../state/navigation.ts'
import { useHitNavigation } from '../hits/use-hit-navigation.ts'
import { usePlayer } from '../player/player-context.ts'
import { heardLineIdsAtom, isRead } from '../review/heard-lines.ts'
import { useReviewActions } from '../review/use-review-actions.ts'
import type { ListeningActions } from './listening-actions.ts'
import { useListeningSettings } from './listening-settings.ts'
import { selectedRange } from './selected-range.ts'

const backSeconds = 2
/** Minimum distance between the points, so that at least part of a word is heard. */
const minRangeSeconds = 0.1
/** A jump skips a line if playback is within this distance of its start. */
const minJumpSeconds = 0.05

/** Point A, in seconds, while point B has not been set yet. */
export const pointAAtom = atom<number | null>(null)

const readAtom = atom(null, (get) => ({
  activeLineId: get(activeLineIdAtom),
  pointA: get(pointAAtom),
  heardLineIds: get(heardLineIdsAtom),
}))

interface Listening extends ListeningActions {
  /** Returns the part being repeated, otherwise the selection, otherwise the current line. */
  rangeAtHand: () => { start: number; end: number } | undefined
}

/** Returns the actions of the listening keys and buttons. */
export function useListeningActions(): Listening {
  const { lines, editing } = useDesk()
  const player = usePlayer()
  const { goToLine } = useNavigation()
  const hits = useHitNavigation()
  const review = useReviewActions()
  const { listening } = useListeningSettings()
  const read = useSetAtom(readAtom)
  const setPointA = useSetAtom(pointAAtom)
  const { repeatPauseSeconds: pauseSeconds } = listening

  return useMemo(() => {
    /** Returns the line being edited, otherwise the active one, otherwise the one being spoken. */
    function currentLine(): ConversationLine | undefined {
      const { activeLineId } = read()
      const known = lines.find(({ id }) => id === editing.editedLineId) ?? lines.find(({ id }) => id === activeLineId)
      return known ?? lineAt(lines, player.readPosition())
    }

    /** Moves on to a line the way the reader is working: if an editor is open, it opens there. */
    function jumpTo(line: ConversationLine | undefined) {
      if (!line) return
      const isEdited = editing.editedLineId !== null && line.segment !== null && !line.isPartial
      goToLine(line.id, { seek: true, focus: !isEdited })
      if (isEdited) editing.open(line.id)
    }

    function jumpAhead(isWanted: (line: ConversationLine) => boolean) {
      const from = currentLine()?.start ?? player.readPosition()
      jumpTo(lines.find((line) => line.start > from && isWanted(line)))
    }

    return {
      rangeAtHand: () => (player.range?.isLooped ? player.range : (selectedRange(lines) ?? currentLine())),
      backTwo: () => player.skip(-backSeconds),
      playPause: player.toggle,
      slower: () => player.stepPlaybackSpeed(-1),
      faster: () => player.stepPlaybackSpeed(1),
      playLine() {
        const line = currentLine()
        if (!line) return
        const isHeard = player.isPlaying && !player.range?.isLooped && player.range?.start === line.start
        if (isHeard) player.toggle()
        else player.playRange({ start: line.start, end: line.end, isLooped: false })
      },
      repeat() {
        setPointA(null)
        if (player.range?.isLooped) return player.clearRange()
        const range = selectedRange(lines) ?? currentLine()
        if (range) player.playRange({ start: range.start, end: range.end, isLooped: true, pauseSeconds })
      },
      points() {
        const at = player.readPosition()
        const { pointA } = read()
        if (player.range?.isLooped) return player.clearRange()
        if (pointA === null) return setPointA(at)
        setPointA(null)
        const [start, end] = pointA < at ? [pointA, at] : [at, pointA]
        if (end - start >= minRangeSeconds) player.playRange({ start, end, isLooped: true, pauseSeconds })
      },
      nextSpeech() {
        const at = player.readPosition()
        jumpTo(lines.find(({ start }) => start > at + minJumpSeconds))
      },
      nextUncertain: () => jumpAhead(isUncertainLine),
      nextHit: hits.next,
      nextUnheard() {
        const { heardLineIds } = read()
        jumpAhead((line) => isRead(line) && !heardLineIds.has(line.id))
      },
      nextUnverified: () => jumpAhead((line) => isRead(line) && line.marks.verified.length === 0),
      verify() {
        const typed = editing.saveOpen()
        if (typed !== null) review.toggleVerified(typed ?? currentLine())
      },
    }
  }, [lines, editing, player, goToLine, hits, review, read, setPointA, pauseSeconds])
}
