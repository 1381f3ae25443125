import { Text, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useMemo, useState, type RefObject } from 'react'
import { TimelineList, type TimelineListProps, type TimelineLine } from './timeline-list.tsx'

interface SearchedTimelineProps<Line extends TimelineLine> extends TimelineListProps<Line> {
  /** Of the search field. */
  searchLabel: string
  searchField?: RefObject<HTMLInputElement | null>
  /** What is searched in a line. */
  textOf: (line: Line) => string
  /** Said where there are no lines at all. */
  emptyText: string
}

/** Lines in order of time, and a field that leaves those that hold what was typed. */
export function SearchedTimeline<Line extends TimelineLine>(props: SearchedTimelineProps<Line>) {
  const { searchLabel, searchField, textOf, emptyText, lines, ...list } = props
  const [search, setSearch] = useState('')
  const shown = useMemo(() => {
    const wanted = search.trim().toLocaleLowerCase()
    return wanted ? lines.filter((line) => textOf(line).toLocaleLowerCase().includes(wanted)) : lines
  }, [lines, search, textOf])
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
      {shown.length === 0 && (
        <Text c="dimmed" py="md">
          {lines.length === 0 ? emptyText : `Nothing holds “${search}”.`}
        </Text>
      )}
      <TimelineList {...list} lines={shown} />
    </>
  )
}
