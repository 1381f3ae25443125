import { atom, useSetAtom } from '../../../shared/jotai.ts'
import { type ConversationLine, isUncertainLine } from '../state/conversation-line.ts'
import { useQuoteLine } from '../editing/quote-line.ts'
import { useHitNavigation } from '../hits/use-hit-navigation.ts'
import { useAddNote, useFlagLine } from '../notes/add-note.ts'
import { heardLineIdsAtom, isRead } from '../review/heard-lines.ts'
import { useReviewActions } from '../review/use-review-actions.ts'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom, skipSeconds } from '../player/use-audio-player.ts'
import { useDesk } from '../state/desk-context.ts'
import { lineAt } from '../state/line-at.ts'
import {
  activeLineIdAtom,
  filteredLinesAtom,
  isFollowingAtom,
  searchFieldAtom,
  useNavigation,
} from '../state/navigation.ts'
import type { ShortcutAction } from './shortcuts.ts'
import { sidePanelAtom } from './side-panel-state.ts'

/** Where the reader is. Read on demand, so that nothing renders with the playback position. */
const positionAtom = atom(null, (get) => ({
  activeLineId: get(activeLineIdAtom),
  filteredLines: get(filteredLinesAtom),
  searchField: get(searchFieldAtom),
  time: get(playerTimeAtom),
  heardLineIds: get(heardLineIdsAtom),
}))

interface DeskActions extends Record<ShortcutAction, () => void> {
  /** Moves the playback position, in seconds from the start, and goes to the line spoken then, or the next one. */
  goToTime: (seconds: number) => void
}

/** Returns the actions of the desk's shortcuts, and those that only the command palette has. */
export function useDeskActions({ onHelp }: { onHelp: () => void }): DeskActions {
  const { lines, editing } = useDesk()
  const player = usePlayer()
  const { goToLine } = useNavigation()
  const hits = useHitNavigation()
  const addNote = useAddNote()
  const flagLine = useFlagLine()
  const quotes = useQuoteLine()
  const review = useReviewActions()
  const readPosition = useSetAtom(positionAtom)
  const setIsFollowing = useSetAtom(isFollowingAtom)
  const setPanel = useSetAtom(sidePanelAtom)

  /** Goes to the nearest wanted line in a direction, from the active line or from the playback position. */
  function step(by: 1 | -1, isWanted: (line: ConversationLine) => boolean = () => true, { seek = false } = {}) {
    const { activeLineId, filteredLines, time } = readPosition()
    const shown = filteredLines ?? lines
    const active = shown.findIndex(({ id }) => id === activeLineId)
    const spoken = shown.findLastIndex(({ start }) => start <= time)
    // Without an active line, "previous" means the spoken line.
    const nearest = by === 1 ? spoken : spoken + 1
    const from = active >= 0 ? active : nearest
    const ahead = by === 1 ? shown.slice(from + 1) : shown.slice(0, Math.max(0, from)).toReversed()
    const found = ahead.find(isWanted)
    if (found) goToLine(found.id, { focus: true, seek })
  }

  /** Returns the active line, otherwise the one being spoken. */
  function lineAtHand(): ConversationLine | undefined {
    const { activeLineId, time } = readPosition()
    return lines.find(({ id }) => id === activeLineId) ?? lineAt(lines, time)
  }

  function onLineAtHand(act: (line: ConversationLine) => void) {
    const line = lineAtHand()
    if (line?.segment && !line.isPartial) act(line)
  }

  function edit() {
    const line = lineAtHand()
    if (line?.segment && !line.isPartial) editing.open(line.id)
  }

  function search() {
    const { searchField } = readPosition()
    searchField?.focus()
    searchField?.select()
  }

  function goToTime(seconds: number) {
    const line = lineAt(lines, seconds) ?? lines.find(({ start }) => start >= seconds)
    if (line) goToLine(line.id, { focus: true })
    player.seek(seconds)
  }

  return {
    goToTime,
    play: player.toggle,
    back: () => player.skip(-skipSeconds),
    forward: () => player.skip(skipSeconds),
    mute: player.toggleMuted,
    nextLine: () => step(1),
    previousLine: () => step(-1),
    nextUncertain: () => step(1, isUncertainLine),
    nextUnheard() {
      const { heardLineIds } = readPosition()
      step(1, (line) => isRead(line) && !heardLineIds.has(line.id), { seek: true })
    },
    nextUnverified: () => step(1, (line) => isRead(line) && line.marks.verified.length === 0, { seek: true }),
    verify: () => review.toggleVerified(lineAtHand()),
    doubt: () => review.toggleDoubt(lineAtHand()),
    edit,
    nextHit: hits.next,
    previousHit: hits.previous,
    note: () => addNote(),
    flag: () => onLineAtHand(flagLine),
    quote: () => onLineAtHand((line) => void quotes.copyQuote(line)),
    link: () => onLineAtHand((line) => void quotes.copyLink(line)),
    follow: () => setIsFollowing(true),
    search,
    panels: () => setPanel((panel) => ({ ...panel, isOpen: !panel.isOpen })),
    help: onHelp,
  }
}
