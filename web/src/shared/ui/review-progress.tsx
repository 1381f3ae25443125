import type { ReviewProgress as Progress } from '#contract/review-state.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatPercent } from '../format.ts'
import classes from './review-progress.module.css'

interface ReviewProgressProps {
  progress: Progress
  /** Whether the figures are shown beside the bar; otherwise they are its tooltip. Default false. */
  hasFigures?: boolean
}

/** How much of a recording or case was reviewed: a bar for verified lines over one for heard lines. Nothing before the first line. */
export function ReviewProgress({ progress, hasFigures = false }: ReviewProgressProps) {
  const { heard, verified } = progress
  if (heard === 0 && verified === 0) return null
  const figures = describeProgress(progress)
  return (
    <span className={classes.progress} title={figures} role="img" aria-label={figures}>
      <span className={classes.track}>
        <span className={classes.heard} style={{ inlineSize: `${Math.round(heard * 100)}%` }} />
        <span className={classes.verified} style={{ inlineSize: `${Math.round(verified * 100)}%` }} />
      </span>
      {hasFigures && <span aria-hidden>{shortFigures(progress)}</span>}
    </span>
  )
}

/** Returns the shares in words: "45% of the lines heard by you, 12% verified, 3% by two people". */
function describeProgress({ heard, verified, verified_twice: twice }: Progress): string {
  const shares = { heard: formatPercent(heard), verified: formatPercent(verified) }
  if (twice === 0) return t('{heard} of the lines heard by you, {verified} verified', shares)
  return t('{heard} of the lines heard by you, {verified} verified, {twice} by two people', {
    ...shares,
    twice: formatPercent(twice),
  })
}

function shortFigures({ heard, verified }: Progress): string {
  const parts = [
    heard > 0 && t('{share} heard', { share: formatPercent(heard) }),
    verified > 0 && t('{share} verified', { share: formatPercent(verified) }),
  ]
  return parts.filter(Boolean).join(comma)
}
