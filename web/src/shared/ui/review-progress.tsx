import type { ReviewProgress as Progress } from '#contract/review-state.ts'
import { t } from '#contract/texts/t.ts'
import { formatPercent } from '../format.ts'
import classes from './review-progress.module.css'

interface ReviewProgressProps {
  progress: Progress
  /** Whether the figures stand beside the bar; else they are its tooltip. Default false. */
  hasFigures?: boolean
}

/** How much of a recording or a case was read: a bar of what is verified, before that of what was heard. Nothing before the first line. */
export function ReviewProgress({ progress, hasFigures = false }: ReviewProgressProps) {
  const { heard, verified } = progress
  if (heard === 0 && verified === 0) return null
  const figures = describeProgress(progress)
  return (
    <span className={classes.progress} title={figures} role="img" aria-label={figures}>
      <span className={classes.track}>
        <span className={classes.heard} style={{ inlineSize: formatPercent(heard) }} />
        <span className={classes.verified} style={{ inlineSize: formatPercent(verified) }} />
      </span>
      {hasFigures && <span aria-hidden>{shortFigures(progress)}</span>}
    </span>
  )
}

/** Returns the shares in words: "45% of the lines heard by you, 12% verified, 3% by two people". */
function describeProgress({ heard, verified, verified_twice: twice }: Progress): string {
  const second = twice > 0 ? t(', {twice} by two people', { twice: formatPercent(twice) }) : ''
  return t('{heard} of the lines heard by you, {verified} verified{second}', {
    heard: formatPercent(heard),
    verified: formatPercent(verified),
    second,
  })
}

function shortFigures({ heard, verified }: Progress): string {
  const parts = [heard > 0 && `${formatPercent(heard)} heard`, verified > 0 && `${formatPercent(verified)} verified`]
  return parts.filter(Boolean).join(', ')
}
