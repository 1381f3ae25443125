import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useSetAtom } from '../../../shared/jotai.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { usePlayer } from '../player/player-context.ts'
import { useDesk } from '../state/desk-context.ts'
import { lineAt } from '../state/line-at.ts'
import { searchRequestAtom, useNavigation } from '../state/navigation.ts'
import { useIsOpened } from '../state/opening.tsx'

/** Playback starts at most this long before the time. */
const maxLeadSeconds = 2
/** Times stored in milliseconds can differ from the start of a line by this much. */
const roundingSeconds = 0.001

/**
 * Goes to the line at the time in the address, in seconds, such as `t=83.5`, once the lines are loaded, and searches the conversation
 * for the `find` in the address; renders nothing.
 */
export function StartAtTime() {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const { lines } = useDesk()
  const player = usePlayer()
  const { goToLine } = useNavigation()
  const seconds = Number.parseFloat(search.get('t') ?? '')
  const canStart = useIsOpened('lines') && lines.length > 0 && seconds >= 0
  const wanted = search.get('find')
  const requestSearch = useSetAtom(searchRequestAtom)

  const start = useEffectEvent(() => {
    const line = findLine(lines, seconds)
    if (line) goToLine(line.id, { focus: true })
    player.seek(Math.max(Math.min(line?.start ?? seconds, seconds), seconds - maxLeadSeconds))
    if (wanted) requestSearch(wanted)
  })
  const visit = `${key} ${seconds}`
  const started = useRef<string | null>(null)
  useEffect(() => {
    if (!canStart || started.current === visit) return
    started.current = visit
    start()
  }, [canStart, visit])
  return null
}

/** Returns the line that starts at a time, otherwise the one spoken then, the last one before it, or the first line. */
function findLine(lines: readonly ConversationLine[], seconds: number): ConversationLine | undefined {
  return (
    lines.find(({ start }) => Math.abs(start - seconds) <= roundingSeconds) ??
    lineAt(lines, seconds) ??
    lines.findLast(({ start }) => start <= seconds) ??
    lines[0]
  )
}
