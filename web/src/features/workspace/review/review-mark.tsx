import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconChecks from '@tabler/icons-react/dist/esm/icons/IconChecks.mjs'
import { t } from '#contract/texts/t.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { describeVerifications } from './describe-marks.ts'
import { useIsHeard } from './heard-lines.ts'
import classes from './review-mark.module.css'

/** The review state of a line, in the margin: a rule if it was heard, a check if it is verified, two checks for a second reader. */
export function ReviewMark({ line }: { line: ConversationLine }) {
  const isHeard = useIsHeard(line.id)
  const { verified } = line.marks
  if (verified.length > 0) {
    const Icon = verified.length > 1 ? IconChecks : IconCheck
    const label = describeVerifications(verified)
    return (
      <span className={classes.mark} data-heard={isHeard || undefined} role="img" aria-label={label} title={label}>
        <Icon size={13} stroke={2.25} aria-hidden />
      </span>
    )
  }
  if (!isHeard) return null
  return <span className={classes.mark} data-heard role="img" aria-label={t('Heard')} title={t('Heard by you')} />
}
