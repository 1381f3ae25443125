import { Fragment, memo, type ReactNode } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import type { PositionedCorrection } from '#contract/word-corrections.ts'
import { formatPercent } from '../../../shared/format.ts'
import { describeHit } from '../hits/describe-hit.ts'
import classes from './marked-text.module.css'
import type { MarkedPart, MarkedPiece } from './split-text.ts'

interface MarkedTextProps {
  parts: MarkedPart[]
  /** The index of the search's current match. */
  currentMatch: number | null
  /** The speaker's name, for the tooltips of keywords. */
  speakerName: string
  /** Whether the Tab key reaches the keywords. */
  isTabStop: boolean
}

/** A text in which keywords, uncertain words, word list corrections and search matches are marked. */
export const MarkedText = memo(function MarkedText({ parts, currentMatch, speakerName, isTabStop }: MarkedTextProps) {
  return parts.map(({ hit, pieces }, index) => {
    const content = pieces.map((piece, at) => (
      <Fragment key={at}>{renderPiece(piece, { currentMatch, isTabStop })}</Fragment>
    ))
    if (!hit) return <Fragment key={index}>{content}</Fragment>
    return (
      <mark
        key={index}
        className={classes.hit}
        data-category={hit.category}
        data-similar={hit.isSimilar}
        data-tooltip={describeHit(hit, speakerName)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its tooltip must be reachable by keyboard
        tabIndex={isTabStop ? 0 : -1}
      >
        {content}
      </mark>
    )
  })
})

function renderPiece(
  { text, confidence, match, isSpelled, correction }: MarkedPiece,
  { currentMatch, isTabStop }: Pick<MarkedTextProps, 'currentMatch' | 'isTabStop'>,
): ReactNode {
  const marked = correction ? (
    <span
      className={classes.corrected}
      data-tooltip={describeCorrection(correction, confidence)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its tooltip must be reachable by keyboard
      tabIndex={isTabStop ? 0 : -1}
    >
      {text}
    </span>
  ) : (
    renderDoubt(text, confidence)
  )
  if (match === null) return marked
  return (
    <mark className={classes.match} data-match={match === currentMatch ? 'current' : 'other'} data-spelled={isSpelled}>
      {marked}
    </mark>
  )
}

function renderDoubt(text: string, confidence: number | null): ReactNode {
  if (confidence === null) return text
  return (
    <span className={classes.uncertain} title={describeDoubt(confidence)}>
      {text}
    </span>
  )
}

function describeDoubt(confidence: number): string {
  return t('Uncertain: confidence {confidence}', { confidence: formatPercent(confidence) })
}

function describeCorrection({ heard }: PositionedCorrection, confidence: number | null): string {
  const values = { heard: isolateName(heard) }
  if (confidence === null) return t('Written as in the word list; heard: {heard}', values)
  return t('Written as in the word list; heard: {heard}. Uncertain: confidence {confidence}', {
    ...values,
    confidence: formatPercent(confidence),
  })
}
