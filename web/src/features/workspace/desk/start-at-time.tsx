import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useSetAtom } from '../../../shared/jotai.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { usePlayer } from '../player/player-context.ts'
import { useDesk } from '../state/desk-context.ts'
import { lineAt } from '../state/line-at.ts'
import { searchRequestAtom, useNavigation } from '../state/navigation.ts'
import { useIsOpened } from '../state/opening.tsx'

/** The playback begins at most this long before the time. */
const maxLeadSeconds = 2
/** Where times are stored in milliseconds a line begins as much as this apart. */
const roundingSeconds = 0.001

/**
 * Goes to the line at the time that the address names in seconds, such as `t=83.5`, once the lines are there, and searches the
 * conversation for its `find`; renders nothing.
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

/** Returns the line that begins at a time, else the one spoken then, else the last one before it. */
function findLine(lines: readonly ConversationLine[], seconds: number): ConversationLine | undefined {
  return (
    lines.find(({ start }) => Math.abs(start - seconds) <= roundingSeconds) ??
    lineAt(lines, seconds) ??
    lines.findLast(({ start }) => start <= seconds) ??
    lines[0]
  )
}
