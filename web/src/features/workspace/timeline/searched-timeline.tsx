import { Switch, Text, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useMemo, useState, type ReactNode, type RefObject } from 'react'
import { TimelineList, type TimelineListProps, type TimelineLine } from './timeline-list.tsx'
import classes from './searched-timeline.module.css'

interface SearchedTimelineProps<Line extends TimelineLine> extends TimelineListProps<Line> {
  /** Of the search field. */
  searchLabel: string
  searchField?: RefObject<HTMLInputElement | null> | undefined
  /** Returns what is searched in a line. */
  textOf: (line: Line) => string
  /** Shown where there are no lines at all. */
  emptyText: string
  filter?: LineFilter<Line> | undefined
  /** Beside the switch. */
  legend?: ReactNode
}

/** A switch that shows only some of the lines, `count` in all; works together with the search. */
interface LineFilter<Line> {
  label: string
  /** What one of these lines is called, for the text of an empty result. */
  kept: string
  keeps: (line: Line) => boolean
  count: number
}

/** Lines in order of time, with a search field and, where there is a filter, a switch that shows only its lines. */
export function SearchedTimeline<Line extends TimelineLine>(props: SearchedTimelineProps<Line>) {
  const { searchLabel, searchField, textOf, emptyText, filter, legend, lines, ...list } = props
  const [search, setSearch] = useState('')
  const [isFiltered, setIsFiltered] = useState(false)
  const keeps = isFiltered ? filter?.keeps : undefined
  const shown = useMemo(() => {
    const query = search.trim().toLocaleLowerCase()
    const kept = keeps ? lines.filter(keeps) : lines
    return query ? kept.filter((line) => textOf(line).toLocaleLowerCase().includes(query)) : kept
  }, [lines, search, textOf, keeps])
  return (
    <>
      <TextInput
        ref={searchField}
        aria-label={searchLabel}
        placeholder={searchLabel}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        mb="sm"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {filter && (
        <div className={classes.filters}>
          <Switch
            size="xs"
            label={`${filter.label} (${filter.count})`}
            disabled={filter.count === 0}
            checked={isFiltered}
            onChange={(event) => setIsFiltered(event.currentTarget.checked)}
          />
          {legend}
        </div>
      )}
      {shown.length === 0 && (
        <Text c="dimmed" py="md">
          {lines.length === 0 ? emptyText : `${keeps ? `No ${filter?.kept}` : 'Nothing'} holds “${search}”.`}
        </Text>
      )}
      <TimelineList {...list} lines={shown} />
    </>
  )
}
