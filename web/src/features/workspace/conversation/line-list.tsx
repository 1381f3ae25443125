import { useMemo, useRef, type MouseEvent, type Ref } from 'react'
import type { Note } from '#contract/notes.ts'
import { t } from '#contract/texts/t.ts'
import type { SpeakerTranscription } from '#contract/transcription.ts'
import { useAtom } from '../../../shared/jotai.ts'
import { formatPercent } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { useDesk } from '../state/desk-context.ts'
import { activeLineIdAtom } from '../state/navigation.ts'
import { listLineFlags } from '../notes/line-flags.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { FollowNewest } from './follow-newest.tsx'
import { FollowPlayback } from './follow-playback.tsx'
import { HitTooltip } from './hit-tooltip.tsx'
import classes from './line-list.module.css'
import type { LineMatches } from './line-matches.ts'
import { LineRow, type RowContext } from './line-row.tsx'
import type { ConversationItem } from './list-items.ts'
import { useLineVirtualizer } from './use-line-virtualizer.ts'
import { useListNavigation } from './use-list-navigation.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useScrollToRow } from './use-scroll-to-row.ts'

interface LineListProps {
  items: ConversationItem[]
  context: RowContext
  matches: ReadonlyMap<string, LineMatches>
  /** Original above translation, even if both fit side by side. */
  isStacked: boolean
  isInOrderOfTime: boolean
  editedLineId: string | null
  /** The line that a running transcription found last. */
  newestLineId: string | null
  onSeek: (seconds: number) => void
  onEdit: (lineId: string) => void
}

interface SpeakerHeadingProps {
  speaker: SpeakerTranscription
  index: number
  rowCount: number
  ref: Ref<HTMLLIElement>
}

/** All lines of the conversation; only those in view are rendered. One row has the roving focus. */
export function LineList(props: LineListProps) {
  const { items, context, isStacked, newestLineId } = props
  const list = useRef<HTMLOListElement>(null)
  const [activeLineId, setActiveLineId] = useAtom(activeLineIdAtom)
  const indexes = useMemo(() => new Map(items.map(({ id }, index) => [id, index])), [items])
  const activeIndex = activeLineId === null ? undefined : indexes.get(activeLineId)
  const { virtualizer, rows, containerRef } = useLineVirtualizer({ list, items, context, isStacked, activeIndex })
  const { lines, notes } = useDesk()
  const flags = useMemo(() => listLineFlags(lines, notes), [lines, notes])
  const hasNames = useSpeakers().voices.some(({ isNameGiven }) => isNameGiven)
  const { scrollToThird, reveal } = useScrollToRow(virtualizer)
  const firstInView = virtualizer.range?.startIndex ?? 0
  const tabStop = activeIndex ?? items.findIndex(({ line }, index) => line !== null && index >= firstInView)
  const { moveTo, select } = useListNavigation({ ...props, list, indexes, reveal })
  const onKeyDown = useRowKeys({ virtualizer, rowCount: items.length, current: tabStop, moveTo, select })

  function onClick(event: MouseEvent<HTMLElement>) {
    const index = hasSelectedText() ? undefined : indexes.get(lineOf(event) ?? '')
    if (index === undefined) return
    setActiveLineId(items[index]?.id ?? null)
    select(index)
  }

  function onDoubleClick(event: MouseEvent<HTMLElement>) {
    const line = items[indexes.get(lineOf(event) ?? '') ?? -1]?.line
    if (line?.segment && !line.isPartial) props.onEdit(line.id)
  }

  return (
    <div className={classes.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows' handlers, once for all rows: each row is reached by keyboard */}
      <ol
        ref={list}
        className={classes.list}
        aria-label={t('Transcript Timeline')}
        data-layout={layoutOf(context, isStacked)}
        data-named={hasNames || undefined}
        data-timeless={!context.showTimestamps || undefined}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const id = target.closest<HTMLElement>('[data-line]')?.dataset.line
          if (id !== undefined) setActiveLineId(id)
        }}
      >
        <li ref={containerRef} aria-hidden className={classes.spacer} />
        {rows.map(({ index, key }) => (
          <ListRow
            {...props}
            flags={flags}
            key={key}
            index={index}
            isTabStop={index === tabStop}
            isActive={index === activeIndex}
            measure={virtualizer.measureElement}
          />
        ))}
      </ol>
      <HitTooltip container={list} />
      {props.isInOrderOfTime && (
        <FollowPlayback
          list={list}
          spokenLineIdAtom={context.spokenLineIdAtom}
          scrollTo={(id) => scrollToThird(indexes.get(id))}
        />
      )}
      {newestLineId !== null && (
        <FollowNewest list={list} lineId={newestLineId} scrollTo={(id) => reveal(indexes.get(id))} />
      )}
    </div>
  )
}

interface ListRowProps extends LineListProps {
  flags: ReadonlyMap<string, Note[]>
  index: number
  isTabStop: boolean
  isActive: boolean
  measure: (row: HTMLLIElement | null) => void
}

function ListRow(props: ListRowProps) {
  const { items, matches, flags, context, editedLineId, newestLineId, index, measure, ...state } = props
  const item = items[index]
  if (!item) return null
  const { id, line, speaker } = item
  const place = { index, rowCount: items.length, ref: measure }
  if (!line) return <SpeakerHeading speaker={speaker} {...place} />
  return (
    <LineRow
      {...place}
      line={line}
      context={context}
      matches={matches.get(id)}
      flags={flags.get(id)}
      isTabStop={state.isTabStop}
      isActive={state.isActive}
      isEditing={id === editedLineId}
      isNew={id === newestLineId}
    />
  )
}

/** Returns the id of the clicked line; undefined for a button or field in it, or outside the list. */
function lineOf({ target, currentTarget }: MouseEvent<HTMLElement>): string | undefined {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return undefined
  if (target.closest('button:not([data-seek]), a, input, textarea, [contenteditable="true"]')) return undefined
  return target.closest<HTMLElement>('[data-line]')?.dataset.line
}

function hasSelectedText(): boolean {
  return window.getSelection()?.isCollapsed === false
}

function layoutOf({ fields }: RowContext, isStacked: boolean): 'one' | 'side' | 'stacked' {
  if (fields.length === 1) return 'one'
  return isStacked ? 'stacked' : 'side'
}

/** The heading of a speaker's lines: the name, the number of lines, and the language with its confidence. */
function SpeakerHeading({ speaker, index, rowCount, ref }: SpeakerHeadingProps) {
  const { describe } = useSpeakers()
  const { segment_count: count, detected_language: language, language_probability: probability } = speaker
  return (
    <li ref={ref} className={classes.heading} data-index={index} aria-setsize={rowCount} aria-posinset={index + 1}>
      <h3 className={classes.name}>
        <SpeakerChip speaker={describe(speaker.speaker)} isNamed />
      </h3>
      <span className={classes.facts}>
        {count === 0
          ? t('No speech was found on this channel.')
          : t('{count, plural, one {# segment} other {# segments}}', { count })}
        {language && ` · ${languageName(language)}`}
        {language && probability !== null && ` · ${formatPercent(probability)}`}
      </span>
    </li>
  )
}
