import { VisuallyHidden } from '@mantine/core'
import { Fragment, memo } from 'react'
import { isUncertainSegment, splitAtDoubt, type TextPiece } from '#contract/doubt.ts'
import type { Segment } from '#contract/transcription.ts'
import { formatPercent } from '../../../shared/format.ts'
import { LanguageMark } from '../timeline/language-mark.tsx'
import { MovedMark, TalkOverMark } from '../speakers/line-marks.tsx'
import { LineText } from '../timeline/line-text.tsx'
import classes from './segment-text.module.css'

interface SegmentTextProps {
  segment: Segment
  language: string | null
  /** The name of the speaker whom the engine found, where a person moved the line to another. */
  movedFrom?: string | undefined
}

/** What was said in a line, uncertain words underlined, with the language where it differs from the speaker's. */
export const SegmentText = memo(function SegmentText({ segment, language, movedFrom }: SegmentTextProps) {
  const pieces = piecesOf(segment)
  const uncertainCount = pieces.filter(({ confidence }) => confidence !== null).length
  return (
    <>
      <LineText language={language} plainText={segment.text}>
        {pieces.map((piece, index) => (
          // Pieces have no names, and a segment's never change.
          <Fragment key={index}>{piece.confidence === null ? piece.text : <UncertainWord piece={piece} />}</Fragment>
        ))}
        {segment.language && ' '}
        {segment.language && <LanguageMark language={segment.language} />}
        {(segment.overlap || movedFrom !== undefined) && ' '}
        {segment.overlap && <TalkOverMark />}
        {movedFrom !== undefined && <MovedMark from={movedFrom} />}
      </LineText>
      {uncertainCount > 0 && (
        <VisuallyHidden lang="en">
          {uncertainCount} uncertain {uncertainCount === 1 ? 'word' : 'words'}
        </VisuallyHidden>
      )}
    </>
  )
})

/** Explains the underline of uncertain words. */
export function UncertainLegend() {
  return (
    <span className={classes.legend}>
      <span className={classes.uncertain}>Underlined</span> words are uncertain
    </span>
  )
}

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
