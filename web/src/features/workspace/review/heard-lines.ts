import { useEffect, useMemo } from 'react'
import { createHeardCheck } from '#contract/heard.ts'
import { atom, useAtomValue, useSetAtom } from '../../../shared/jotai.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { useHeard } from './use-heard.ts'

const none: ReadonlySet<string> = new Set()

/** The ids of the lines that the signed-in user has heard. An atom, so that only rows that become heard render. */
export const heardLineIdsAtom = atom<ReadonlySet<string>>(none)

/** Keeps `heardLineIdsAtom` in sync with what was heard; renders nothing. */
export function HeardLines() {
  const { recording, lines } = useDesk()
  const channels = useHeard(recording.id)
  const setHeard = useSetAtom(heardLineIdsAtom)
  const heard = useMemo(() => {
    const isHeard = createHeardCheck(channels)
    return new Set(lines.filter((line) => isRead(line) && isHeard(toSpan(line))).map(({ id }) => id))
  }, [lines, channels])
  useEffect(() => {
    setHeard(heard)
    return () => setHeard(none)
  }, [heard, setHeard])
  return null
}

/** Renders the row only when it becomes heard, not on every change. */
export function useIsHeard(lineId: string): boolean {
  return useAtomValue(useMemo(() => atom((get) => get(heardLineIdsAtom).has(lineId)), [lineId]))
}

/** Returns whether a line counts: it has words, and is not part of a running transcription. */
export function isRead({ segment, isPartial }: ConversationLine): boolean {
  return segment !== null && !isPartial
}

function toSpan({ start, end, segment }: ConversationLine) {
  return { start, end, channel: segment?.channel }
}
