import { VisuallyHidden } from '@mantine/core'
import { memo, useMemo } from 'react'
import { isUncertainWord } from '#contract/doubt.ts'
import { isSettled, isUncertainLine } from '#contract/review-state.ts'
import { t, currentLanguage } from '#contract/texts/t.ts'
import type { Segment } from '#contract/transcription.ts'
import { listCorrections } from '#contract/word-corrections.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { directionalAttributes } from '../../../shared/ui/directional-text.tsx'
import { languageName } from '../../../shared/recordings/languages.ts'
import { describeDoubt } from '../review/describe-marks.ts'
import { LineMark, MovedMark, TalkOverMark } from '../speakers/line-marks.tsx'
import type { ConversationLine } from '../state/conversation-line.ts'
import classes from './line-texts.module.css'
import { MarkedText } from './marked-text.tsx'
import type { FieldMatches } from './line-matches.ts'
import { listDoubts, splitText } from './split-text.ts'

interface LineTextProps {
  line: ConversationLine
  matches: FieldMatches | undefined
  highlightKeywords: boolean
  speakerName: string
  isTabStop: boolean
}

interface OriginalTextProps extends LineTextProps {
  segment: Segment & { isEdited?: true }
  /** The name of the speaker that the engine found, if a person moved the line to another. */
  movedFrom: string | undefined
  /** The text of the line's flags; undefined without any. */
  flagged: string | undefined
}

/** The spoken text of a line, followed by its marks. */
export const OriginalText = memo(function OriginalText(props: OriginalTextProps) {
  const { line, segment, matches, highlightKeywords, speakerName, isTabStop, movedFrom, flagged } = props
  const { marks } = line
  const hits = highlightKeywords ? line.hits.original : noHits
  const corrections = useMemo(() => listCorrections(segment), [segment])
  const parts = useMemo(
    () =>
      splitText(segment.text, {
        hits,
        doubts: isSettled(marks) ? [] : listDoubts(segment),
        matches: matches?.ranges,
        corrections,
      }),
    [segment, marks, hits, matches?.ranges, corrections],
  )
  const isForeign = segment.language !== undefined && !line.isPartial
  const isUncertain = isUncertainLine(segment, marks)
  const doubt = isUncertain && marks.doubt?.is_uncertain ? marks.doubt : null
  const hasMarks = isForeign || segment.overlap || movedFrom !== undefined || segment.isEdited || doubt || flagged
  const uncertainCount = isSettled(marks) ? 0 : (segment.words ?? []).filter(isUncertainWord).length
  return (
    <>
      <span className={classes.text} {...directionalAttributes(line.language, segment.text)}>
        <MarkedText
          parts={parts}
          currentMatch={matches?.current ?? null}
          speakerName={speakerName}
          isTabStop={isTabStop}
        />
        {hasMarks && ' '}
        {isForeign && <LanguageMark language={segment.language ?? ''} />}
        {segment.overlap && <TalkOverMark />}
        {movedFrom !== undefined && <MovedMark from={movedFrom} />}
        {segment.isEdited && <LineMark title={t('Corrected by hand')}>{t('edited')}</LineMark>}
        {doubt && <LineMark title={describeDoubt(doubt)}>{t('uncertain')}</LineMark>}
        {flagged !== undefined && <LineMark title={flagged}>{t('flag')}</LineMark>}
      </span>
      {uncertainCount > 0 && (
        <VisuallyHidden>
          {t('{count, plural, one {# uncertain word} other {# uncertain words}}', { count: uncertainCount })}
        </VisuallyHidden>
      )}
      {corrections.length > 0 && (
        <VisuallyHidden>
          {t('{count, number} written as in the word list', { count: corrections.length })}
        </VisuallyHidden>
      )}
    </>
  )
})

const noHits: [] = []

interface TranslatedTextProps extends LineTextProps {
  /** The target language. */
  target: string
  /** Whether a missing translation is still to come. */
  isPending: boolean
  /** Undefined if single lines cannot be translated. */
  onRetry: (() => void) | undefined
}

/** The translation of a line, or why there is none, with a button to translate the line again if it is stale or missing. */
export const TranslatedText = memo(function TranslatedText(props: TranslatedTextProps) {
  const { line, matches, highlightKeywords, speakerName, isTabStop, target, isPending, onRetry } = props
  const { translated, isTranslationStale: isStale } = line
  const text = translated?.error === null ? translated.translated_text : ''
  const hits = highlightKeywords ? line.hits.translation : noHits
  const parts = useMemo(() => splitText(text, { hits, matches: matches?.ranges }), [text, hits, matches?.ranges])
  if (!text && isPending) return null
  const needsWork = isStale || text === ''
  return (
    <>
      {text ? (
        <span className={classes.text} data-stale={isStale || undefined} {...directionalAttributes(target, text)}>
          <MarkedText
            parts={parts}
            currentMatch={matches?.current ?? null}
            speakerName={speakerName}
            isTabStop={isTabStop}
          />
          {isStale && ' '}
          {isStale && <LineMark title={t('Made before the line was changed')}>{t('outdated')}</LineMark>}
        </span>
      ) : (
        <span className={translated?.error ? classes.error : classes.missing}>
          {translated?.error
            ? t('Error: {error}', { error: translateSentence(translated.error) })
            : t('No translation available')}
        </span>
      )}
      {needsWork && onRetry && line.segment && (
        <button
          type="button"
          className={classes.retry}
          tabIndex={isTabStop ? 0 : -1}
          aria-label={t('Translate the line “{text}” again', { text: line.segment.text })}
          onClick={onRetry}
        >
          {t('Translate again')}
        </button>
      )}
    </>
  )
})

/** The name of a line's own language, beside its text. */
function LanguageMark({ language }: { language: string }) {
  const shown = currentLanguage()
  return (
    <span
      className={classes.language}
      lang={shown}
      dir={interfaceLanguages[shown].direction}
      title={t('Language of this line')}
    >
      {languageName(language)}
    </span>
  )
}
