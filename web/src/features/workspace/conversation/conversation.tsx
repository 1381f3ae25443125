import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { VisuallyHidden, Button, Text } from '@mantine/core'
import { hasConfidences } from '#contract/doubt.ts'
import { t } from '#contract/texts/t.ts'
import type { Job } from '#contract/entities/job.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { atom, useAtom, useAtomValue, useSetAtom } from '../../../shared/jotai.ts'
import { useDesk } from '../state/desk-context.ts'
import { lineAt } from '../state/line-at.ts'
import { activeLineIdAtom, filteredLinesAtom, scrollRequestAtom, searchRequestAtom } from '../state/navigation.ts'
import { useIsOpened } from '../state/opening.tsx'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import classes from './conversation.module.css'
import { isUncertainLine, type ConversationLine } from '../state/conversation-line.ts'
import { FilterBar } from './filter-bar.tsx'
import { filterLines, isFiltering, noFilter } from './filter-lines.ts'
import { LineList } from './line-list.tsx'
import type { RowContext } from './line-row.tsx'
import { listItems } from './list-items.ts'
import { SearchField } from './search-field.tsx'
import { shownFields } from './shown-fields.ts'
import { useArrivingTranslations } from './use-arriving-translations.ts'
import { useLineSearch } from './use-line-search.ts'
import { useSearchKeys } from './use-search-keys.ts'
import { useConversationView } from './view.ts'
import { ViewMenu } from './view-menu.tsx'

interface EmptyListMessageProps {
  /** Whether there are lines, which the filters hide. */
  hasLines: boolean
  transcription: TranscriptionResult | null
  onShowAll: () => void
}

/** Returns the id of the line that a running transcription found last; null if none is running or nothing was found yet. */
function newestLineIdOf(lines: readonly ConversationLine[], job: Job | undefined): string | null {
  const partial = job ? lines.filter(({ isPartial }) => isPartial) : []
  const latest = job?.progress?.latest_segment
  const newest = latest && partial.findLast((line) => line.start === latest.start && line.segment?.text === latest.text)
  return (newest ?? partial.at(-1))?.id ?? null
}

/** How often the number of lines is announced to screen readers. */
const announceIntervalMs = 20_000

/** Announces the number of lines so far; reading every line aloud as it arrives would drown out everything else. */
function ArrivalAnnouncement({ lineCount }: { lineCount: number }) {
  const latest = useRef(lineCount)
  const [announced, setAnnounced] = useState(0)
  useEffect(() => {
    latest.current = lineCount
  }, [lineCount])
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), announceIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <VisuallyHidden role="status">
      {announced > 0 && t('{announced, plural, one {# line so far} other {# lines so far}}', { announced })}
    </VisuallyHidden>
  )
}

/** The lines of the recording beside their translations, with search, filters and views. Fills its parent and scrolls inside. */
export function Conversation() {
  const desk = useDesk()
  const { transcription, translation, jobs, editing } = desk
  const { describe } = useSpeakers()
  const { seek } = usePlayer()
  const hasTranslation = translation !== null || jobs.translate !== undefined
  const view = useConversationView({ hasTranslation })
  const lines = useArrivingTranslations(desk.lines, jobs.translate, desk.target)
  const [filter, setFilter] = useState(noFilter)
  const filtered = useMemo(() => filterLines(lines, filter, describe), [lines, filter, describe])
  const items = useMemo(
    () => listItems({ lines: filtered, order: view.order, transcription, describe }),
    [filtered, view.order, transcription, describe],
  )
  const shown = useMemo(() => items.flatMap(({ line }) => line ?? []), [items])
  const context = useRowContext(lines, view)
  const search = useLineSearch(shown, useShownFields(context))
  const newestLineId = newestLineIdOf(lines, jobs.transcribe)
  usePublishedLines(isFiltering(filter) || view.order === 'speaker' ? shown : null)
  useSearchKeys(search)
  useSearchRequest(search.change)
  const requestScroll = useSetAtom(focusActiveAtom)
  const uncertainCount = useMemo(() => lines.filter(isUncertainLine).length, [lines])
  useFilterRelease(shown, () => setFilter(noFilter))
  const isListShown = useIsOpened('lines')

  if (lines.length === 0 && !transcription) return null
  return (
    <section className={classes.conversation} aria-label={t('Conversation')}>
      <div className={classes.toolbar}>
        <SearchField search={search} onLeave={requestScroll} />
        <div className={classes.filters}>
          <FilterBar
            filter={filter}
            onChange={setFilter}
            hitCount={desk.hits.length}
            uncertainCount={transcription && hasConfidences(transcription) ? uncertainCount : undefined}
          />
        </div>
        <ViewMenu
          view={view}
          hasTranslation={hasTranslation}
          hasSpeakers={(transcription?.speaker_transcriptions.length ?? 0) > 0}
        />
      </div>
      {items.length === 0 ? (
        <EmptyListMessage
          hasLines={lines.length > 0}
          transcription={transcription}
          onShowAll={() => setFilter(noFilter)}
        />
      ) : (
        isListShown && (
          <LineList
            items={items}
            context={context}
            matches={search.byLine}
            isStacked={view.layout === 'stacked'}
            isInOrderOfTime={view.order === 'time'}
            editedLineId={editing.editedLineId}
            newestLineId={newestLineId}
            onSeek={seek}
            onEdit={editing.open}
          />
        )
      )}
      {newestLineId !== null && <ArrivalAnnouncement lineCount={lines.length} />}
    </section>
  )
}

/** Runs searches requested by other parts of the desk, starting at the active line. */
function useSearchRequest(change: (query: string) => void): void {
  const [request, setRequest] = useAtom(searchRequestAtom)
  useEffect(() => {
    if (request === null) return
    change(request)
    setRequest(null)
  })
}

/** Moves the focus from the search field to the line of the current match. */
const focusActiveAtom = atom(null, (get, set) => {
  const lineId = get(activeLineIdAtom)
  if (lineId !== null) set(scrollRequestAtom, { lineId, isFocused: true })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
})

/** Returns what all rows share. The spoken line is an atom, so that a change renders rows but not the list. */
function useRowContext(lines: ConversationLine[], view: ReturnType<typeof useConversationView>): RowContext {
  const { target, jobs, retryTranslation } = useDesk()
  const spokenLineIdAtom = useMemo(() => atom((get) => lineAt(lines, get(playerTimeAtom))?.id ?? null), [lines])
  const { fields, showTimestamps, highlightKeywords } = view
  const isTranslating = jobs.translate !== undefined
  return useMemo(
    () => ({ fields, showTimestamps, highlightKeywords, target, isTranslating, retryTranslation, spokenLineIdAtom }),
    [fields, showTimestamps, highlightKeywords, target, isTranslating, retryTranslation, spokenLineIdAtom],
  )
}

/** Returns a function that selects the texts of a line to show; it changes only when the selection does. */
function useShownFields({ fields, isTranslating }: RowContext) {
  return useCallback((line: ConversationLine) => shownFields(line, { fields, isTranslating }), [fields, isTranslating])
}

/** Publishes the rows and their order to the other parts of the desk; null means all, in time order. */
function usePublishedLines(lines: ConversationLine[] | null): void {
  const publish = useSetAtom(filteredLinesAtom)
  useEffect(() => {
    publish(lines)
    return () => publish(null)
  }, [publish, lines])
}

/** Calls a handler when the list should scroll to a line that the filters hide. */
function useFilterRelease(shown: ConversationLine[], onFilteredOut: () => void): void {
  const scrollRequest = useAtomValue(scrollRequestAtom)
  useEffect(() => {
    if (scrollRequest && !shown.some(({ id }) => id === scrollRequest.lineId)) onFilteredOut()
  })
}

/** Says why there are no rows. */
function EmptyListMessage({ hasLines, transcription, onShowAll }: EmptyListMessageProps) {
  const hasVoice = transcription?.warnings.some(({ code }) => code === 'no_words') === true
  const noLines = hasVoice
    ? t('A voice was found, but no words were understood.')
    : t('No speech was found in this recording.')
  return (
    <div className={classes.note}>
      <Text c="dimmed">{hasLines ? t('No line matches the filters.') : noLines}</Text>
      {hasLines && (
        <Button variant="default" size="compact-sm" onClick={onShowAll}>
          {t('Show all lines')}
        </Button>
      )}
    </div>
  )
}
