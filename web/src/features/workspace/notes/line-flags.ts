import { isolateName } from '#contract/isolated-name.ts'
import type { Note } from '#contract/notes.ts'
import { t } from '#contract/texts/t.ts'
import { semicolon } from '../../../shared/format.ts'
import type { ConversationLine } from '../state/conversation-line.ts'

/** A flag belongs to a line of another version if they share this much of the shorter one's time. */
const minSharedTime = 0.5

/** Returns the flags at a line: those that match its time and channel, in whichever version they were set. */
export function flagsOf<Flag extends Note>(line: ConversationLine, notes: readonly Flag[]): Flag[] {
  const { segment } = line
  if (!segment || line.isPartial) return []
  return notes.filter((note) => {
    if (!note.line) return false
    const { end, channel } = note.line
    const isOtherChannel = channel !== undefined && segment.channel !== undefined && channel !== segment.channel
    const shared = Math.min(end, line.end) - Math.max(note.time, line.start)
    const shorter = Math.min(end - note.time, line.end - line.start)
    return !isOtherChannel && shared > 0 && shared >= shorter * minSharedTime
  })
}

/** Returns the flags of all lines that have any, by line id. */
export function listLineFlags(lines: readonly ConversationLine[], notes: readonly Note[]): ReadonlyMap<string, Note[]> {
  const flags = notes.filter((note) => note.line !== undefined)
  if (flags.length === 0) return new Map()
  return new Map(
    lines.flatMap((line) => {
      const own = flagsOf(line, flags)
      return own.length > 0 ? [[line.id, own] as const] : []
    }),
  )
}

/** Returns the text of a line's flags. */
export function describeFlags(flags: readonly Note[]): string {
  const texts = flags.flatMap(({ text }) => (text === '' ? [] : [isolateName(text)]))
  return texts.length === 0 ? t('Flagged') : t('Flagged: {texts}', { texts: texts.join(semicolon) })
}
