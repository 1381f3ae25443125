import { Fragment, memo, type ReactNode } from 'react'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { formatPercent } from '../../../shared/format.ts'
import classes from './marked-text.module.css'
import type { MarkedPart, MarkedPiece } from './split-text.ts'

interface MarkedTextProps {
  parts: MarkedPart[]
  /** The match that the search is at. */
  currentMatch: number | null
  /** Who says it, for the tooltips of keywords. */
  speakerName: string
  /** Whether the Tab key reaches the keywords. */
  isTabStop: boolean
}

/** A text with its keywords, uncertain words and matches of the search marked. */
export const MarkedText = memo(function MarkedText({ parts, currentMatch, speakerName, isTabStop }: MarkedTextProps) {
  return parts.map(({ hit, pieces }, index) => {
    const content = pieces.map((piece, at) => <Fragment key={at}>{renderPiece(piece, currentMatch)}</Fragment>)
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

function renderPiece({ text, confidence, match }: MarkedPiece, currentMatch: number | null): ReactNode {
  const doubted =
    confidence === null ? (
      text
    ) : (
      <span className={classes.uncertain} title={`Uncertain: confidence ${formatPercent(confidence)}`}>
        {text}
      </span>
    )
  if (match === null) return doubted
  return (
    <mark className={classes.match} data-match={match === currentMatch ? 'current' : 'other'}>
      {doubted}
    </mark>
  )
}

function describeHit({ category, keyword, isSimilar }: KeywordHit, speakerName: string): string {
  const label = `${keywordCategoryNames[category].name}: ${isSimilar ? 'sounds like ' : ''}${keyword}`
  return speakerName === '' ? label : `${label} · ${speakerName}`
}
