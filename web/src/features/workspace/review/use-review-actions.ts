import type { MarkedLine } from '#contract/line-marks.ts'
import { t } from '#contract/texts/t.ts'
import { useUser } from '../../../shared/session/session.ts'
import { type ConversationLine, isUncertainLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { announceReadOnly, usePermissions } from '../state/permissions.ts'
import { useAnnounce } from '../state/announce.ts'
import { isRead } from './heard-lines.ts'
import { useMarkLines } from './use-line-marks.ts'

/** Returns the functions that mark a line; for readers, they announce why marking is not possible. */
export function useReviewActions() {
  const { recording } = useDesk()
  const { id: userId } = useUser()
  const { canEdit } = usePermissions()
  const mark = useMarkLines(recording.id)
  const announce = useAnnounce()

  /** Returns the line in the form for marking; undefined if it cannot be marked. */
  function markable(line: ConversationLine | undefined): MarkedLine | undefined {
    const { segment } = line ?? {}
    if (!line || !segment || !isRead(line)) return undefined
    if (!canEdit) return void announceReadOnly()
    const { start, end, channel, text } = segment
    return { start, end, text, ...(channel !== undefined && { channel }) }
  }

  return {
    /** Returns whether the signed-in user has verified a line. */
    isVerifiedByMe: ({ marks }: ConversationLine) => marks.verified.some(({ by }) => by.id === userId),

    /** Verifies a line, or undoes that. */
    toggleVerified(line: ConversationLine | undefined) {
      const marked = markable(line)
      if (!line || !marked) return
      const isVerified = !line.marks.verified.some(({ by }) => by.id === userId)
      mark({ lines: [marked], isVerified })
      announce(isVerified ? t('Line verified') : t('No longer verified by you'))
    },

    /** Marks a line as uncertain, or removes that mark. */
    toggleDoubt(line: ConversationLine | undefined) {
      const marked = markable(line)
      if (!line || !marked) return
      const isUncertain = !isUncertainLine(line)
      mark({ lines: [marked], doubt: { isUncertain, reason: '' } })
      announce(isUncertain ? t('Line marked as uncertain') : t('Line no longer uncertain'))
    },

    /** Marks a line as uncertain for a reason. */
    doubt(line: ConversationLine, reason: string) {
      const marked = markable(line)
      if (marked) mark({ lines: [marked], doubt: { isUncertain: true, reason } })
    },
  }
}
