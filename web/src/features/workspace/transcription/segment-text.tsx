import { VisuallyHidden } from '@mantine/core'
import { Fragment, memo } from 'react'
import { isUncertainSegment, splitAtDoubt, type TextPiece } from '#contract/doubt.ts'
import type { Segment } from '#contract/transcription.ts'
import { formatPercent } from '../../../shared/format.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { LanguageMark } from '../timeline/language-mark.tsx'
import { MovedMark, TalkOverMark } from '../speakers/line-marks.tsx'
import classes from './transcript.module.css'
import shared from '../workspace.module.css'

interface SegmentTextProps {
  segment: Segment
  language: string | null
  /** The name of the speaker whom the engine heard, where a person gave the line to another. */
  movedFrom?: string | undefined
}

/** What was said in a line, uncertain words underlined, with the line's language where that is its own. */
export const SegmentText = memo(function SegmentText({ segment, language, movedFrom }: SegmentTextProps) {
  const pieces = piecesOf(segment)
  const uncertainCount = pieces.filter(({ confidence }) => confidence !== null).length
  return (
    <span className={shared.segmentText}>
      <DirectionalText as="span" language={language} plainText={segment.text} className={shared.lineText}>
        {pieces.map((piece, index) => (
          // Pieces have no names, and a segment's never change.
          <Fragment key={index}>{piece.confidence === null ? piece.text : <UncertainWord piece={piece} />}</Fragment>
        ))}
        {segment.language && ' '}
        {segment.language && <LanguageMark language={segment.language} />}
        {(segment.overlap || movedFrom !== undefined) && ' '}
        {segment.overlap && <TalkOverMark />}
        {movedFrom !== undefined && <MovedMark from={movedFrom} />}
      </DirectionalText>
      {uncertainCount > 0 && (
        <VisuallyHidden lang="en">
          {uncertainCount} uncertain {uncertainCount === 1 ? 'word' : 'words'}
        </VisuallyHidden>
      )}
    </span>
  )
})

function UncertainWord({ piece: { text, confidence } }: { piece: TextPiece }) {
  return (
    <span className={classes.uncertain} title={`Uncertain: confidence ${formatPercent(confidence ?? 0)}`}>
      {text}
    </span>
  )
}

/** A line that is uncertain as a whole, in no word more than in another, is one piece. */
function piecesOf(segment: Segment): TextPiece[] {
  const pieces = splitAtDoubt(segment)
  const isWhole = pieces.every(({ confidence }) => confidence === null) && isUncertainSegment(segment)
  return isWhole ? [{ text: segment.text, confidence: segment.confidence ?? 0 }] : pieces
}
