import { useMemo } from 'react'
import { atom, useSetAtom } from '../../../shared/jotai.ts'
import type { ConversationLine } from './conversation-line.ts'
import { usePlayer } from '../player/player-context.ts'
import { useDesk } from './desk-context.ts'

/** The row with the roving focus, which keys act on; null if there is none yet. */
export const activeLineIdAtom = atom<string | null>(null)

/** A row that the list should scroll to. A new object for each request, so that the same row can be requested twice. */
export interface ScrollRequest {
  lineId: string
  /** Whether the row takes the focus. */
  isFocused: boolean
}

export const scrollRequestAtom = atom<ScrollRequest | null>(null)

/**
 * Whether the list keeps the spoken line at one third of its height during playback. The list sets this to false when the reader scrolls;
 * "Back to now" and starting playback set it to true.
 */
export const isFollowingAtom = atom(true)

/** The rows that remain after search and filters, set by the list; null for all rows. */
export const filteredLinesAtom = atom<ConversationLine[] | null>(null)

/** The search field of the conversation, set by the component that renders it. */
export const searchFieldAtom = atom<HTMLInputElement | null>(null)

/** A text to search the conversation for. */
export const searchRequestAtom = atom<string | null>(null)

/** Resets the state left from another recording. */
export const resetNavigationAtom = atom(null, (_get, set) => {
  set(activeLineIdAtom, null)
  set(scrollRequestAtom, null)
  set(searchRequestAtom, null)
  set(isFollowingAtom, true)
})

export interface GoToLineOptions {
  /** Whether the playback position moves to the line. */
  seek?: boolean
  /** How long before the line playback starts. */
  leadSeconds?: number
  /** Whether playback starts. */
  play?: boolean
  /** Whether the row takes the focus. */
  focus?: boolean
}

export interface LineNavigation {
  /** Makes a line active and scrolls to it. Ignores a line that does not exist. */
  goToLine: (lineId: string, options?: GoToLineOptions) => void
}

/** Returns the function that goes to a line of the recording on screen. */
export function useNavigation(): LineNavigation {
  const { lines } = useDesk()
  const player = usePlayer()
  const setActiveLineId = useSetAtom(activeLineIdAtom)
  const setScrollRequest = useSetAtom(scrollRequestAtom)
  return useMemo(
    () => ({
      goToLine(lineId, { seek = false, leadSeconds = 0, play = false, focus = false } = {}) {
        const line = lines.find(({ id }) => id === lineId)
        if (!line) return
        setActiveLineId(lineId)
        setScrollRequest({ lineId, isFocused: focus })
        if (seek || play) player.seek(line.start - leadSeconds)
        if (play && !player.isPlaying) player.toggle()
      },
    }),
    [lines, player, setActiveLineId, setScrollRequest],
  )
}
