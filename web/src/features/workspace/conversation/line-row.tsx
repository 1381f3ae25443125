import { memo, type Ref, useMemo, useState } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import type { Note } from '#contract/notes.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { formatClock } from '../../../shared/format.ts'
import { atom, type Atom, useAtomValue } from '../../../shared/jotai.ts'
import { LineActions } from '../editing/line-actions.tsx'
import { LineEditor } from '../editing/line-editor.tsx'
import { describeFlags } from '../notes/line-flags.ts'
import { ReviewMark } from '../review/review-mark.tsx'
import { PersonName } from '../speakers/person-name.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import type { RetryLines } from '../state/desk-context.ts'
import { readingDirection } from '../../../shared/ui/directional-text.tsx'
import type { ConversationLine } from '../state/conversation-line.ts'
import type { LineMatches } from './line-matches.ts'
import { OriginalText, TranslatedText } from './line-texts.tsx'
import { shownFields } from './shown-fields.ts'
import classes from './line-row.module.css'
import { type LineField, textOf } from './search-lines.ts'

/**
 * Returns whether a line reads right to left, against the direction of the page: time and speaker are then to the right of its first
 * text.
 */
function isTurned(line: ConversationLine, fields: readonly LineField[], target: string): boolean {
  if (!line.segment) return false
  const [field = 'original'] = fields
  const language = field === 'original' ? line.language : target
  return readingDirection(language, textOf(line, field)) === 'rtl'
}

/** What all rows of the list share. */
export interface RowContext {
  fields: readonly LineField[]
  showTimestamps: boolean
  highlightKeywords: boolean
  /** The target language. */
  target: string
  isTranslating: boolean
  retryTranslation: RetryLines | undefined
  spokenLineIdAtom: Atom<string | null>
}

interface LineRowProps {
  line: ConversationLine
  context: RowContext
  matches: LineMatches | undefined
  flags: Note[] | undefined
  /** The position among the rows. */
  index: number
  rowCount: number
  /** Whether the Tab key reaches the row and its contents. */
  isTabStop: boolean
  isActive: boolean
  isEditing: boolean
  /** Whether the line has just arrived. */
  isNew: boolean
  ref: Ref<HTMLLIElement>
}

/** A row of the conversation. The list handles its keys and clicks. Memoized: no row renders with the playback position. */
export const LineRow = memo(function LineRow({ ref, ...props }: LineRowProps) {
  const { line, context, index, rowCount, isTabStop, isActive, isNew } = props
  const [isPointed, setIsPointed] = useState(false)
  const isSpoken = useIsSpoken(line.id, context.spokenLineIdAtom)
  const fields = shownFields(line, context)
  return (
    <li
      ref={ref}
      className={classes.row}
      data-index={index}
      data-line={line.id}
      data-active={isActive || undefined}
      data-arriving={isNew || undefined}
      data-turned={isTurned(line, fields, context.target) || undefined}
      aria-current={isSpoken || undefined}
      aria-setsize={rowCount}
      aria-posinset={index + 1}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one row has the roving focus: keys act on it
      tabIndex={isTabStop ? 0 : -1}
      onPointerEnter={() => setIsPointed(true)}
    >
      <ReviewMark line={line} />
      <RowCells {...props} fields={fields} />
      {line.segment && !line.isPartial && (isPointed || isActive) && (
        <div className={classes.actions}>
          <LineActions line={line} />
        </div>
      )}
    </li>
  )
})

function RowCells(props: Omit<LineRowProps, 'ref'> & { fields: readonly LineField[] }) {
  const { line, context, matches, flags, isTabStop, isEditing, fields } = props
  const { describe, movedFrom } = useSpeakers()
  const { segment, gap } = line
  const speaker = describe(segment?.speaker, segment?.channel ?? gap?.channel)
  const { target, isTranslating, retryTranslation, highlightKeywords } = context
  const shared = { line, highlightKeywords, speakerName: speaker.name, isTabStop }
  const movedFromLabel = segment ? movedFrom(segment) : undefined
  const hasOriginal = fields.includes('original') || isEditing || segment === null
  /** Whether the original stands in for a translation that is still to come. */
  const isStandIn = !isEditing && segment !== null && fields !== context.fields
  return (
    <>
      <button
        type="button"
        className={classes.time}
        data-hidden={!context.showTimestamps || undefined}
        data-seek
        tabIndex={isTabStop ? 0 : -1}
        // A range of clock times runs left to right in every language.
        dir="ltr"
      >
        {formatClock(line.start)}
        <span className={classes.end}>
          <span className={classes.dash}> – </span>
          {formatClock(line.end)}
        </span>
      </button>
      <span className={classes.speaker} data-voice={speaker.hue}>
        <SpeakerChip speaker={speaker} />
        {speaker.isNameGiven && (
          <span className={classes.name} title={isolateName(speaker.name)}>
            <PersonName isCut>{speaker.name}</PersonName>
          </span>
        )}
      </span>
      {hasOriginal && (
        <div className={classes.original} data-stand-in={isStandIn || undefined}>
          {gap && <GapText message={translateSentence(gap.message)} />}
          {segment && isEditing && <LineEditor line={line} />}
          {segment && !isEditing && (
            <OriginalText
              {...shared}
              segment={segment}
              matches={matches?.original}
              flagged={flags && describeFlags(flags)}
              movedFrom={movedFromLabel === undefined ? undefined : describe(movedFromLabel).name}
            />
          )}
        </div>
      )}
      {segment && fields.includes('translation') && (
        <div className={classes.translation}>
          <TranslatedText
            {...shared}
            matches={matches?.translation}
            target={target}
            isPending={isTranslating || line.isPartial}
            onRetry={retryTranslation && (() => retryTranslation({ start: line.start, end: line.end }))}
          />
        </div>
      )}
    </>
  )
}

/** Replaces the text of a passage in which speech was not understood. */
function GapText({ message }: { message: string }) {
  return (
    <span className={classes.gap}>
      <span className={classes.gapTitle}>{t('Not understood')}</span> {message}
    </span>
  )
}

/** Renders the row only when it becomes or stops being the spoken one, not on every change of the playback position. */
function useIsSpoken(lineId: string, spokenLineIdAtom: Atom<string | null>): boolean {
  const isSpokenAtom = useMemo(() => atom((get) => get(spokenLineIdAtom) === lineId), [lineId, spokenLineIdAtom])
  return useAtomValue(isSpokenAtom)
}
