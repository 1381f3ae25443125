import '@mantine/spotlight/styles.css'
import { Kbd } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconCommand from '@tabler/icons-react/dist/esm/icons/IconCommand.mjs'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import IconMicrophone2 from '@tabler/icons-react/dist/esm/icons/IconMicrophone2.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { pageCommandsAtom } from '../../shared/commands.ts'
import { formatClock } from '../../shared/format.ts'
import { useAtomValue } from '../../shared/jotai.ts'
import { useRecordings } from '../../shared/recordings/recordings.ts'
import { pageList } from '../page-list.ts'
import { listPalettePages } from './palette-pages.ts'
import { parseTime } from './parse-time.ts'

const [store, palette] = createSpotlight()
const searchDelayMs = 150
const maxRecordings = 8
const iconProps = { size: 18, stroke: 1.5, 'aria-hidden': true } as const

interface PaletteEntry {
  id: string
  label: string
  description?: string
  icon: ReactNode
  keys?: string | undefined
  run: () => void
}

interface CommandPaletteProps {
  user: User
  /** Toggles the palette each time it increases. */
  requestCount: number
}

/** Finds recordings by name, pages, actions of the current page and times in its recording, and searches all calls. */
export function CommandPalette({ user, requestCount }: CommandPaletteProps) {
  const [query, setQuery] = useState('')
  const groups = usePaletteGroups(user, query)
  const handledCount = useRef(0)
  useEffect(() => {
    if (handledCount.current === requestCount) return
    handledCount.current = requestCount
    palette.toggle()
  }, [requestCount])
  useFirstSelected(groups)

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      attributes={{ content: { 'aria-label': t('Command palette') } }}
      // Like menus, it opens in the page's main region, so that its content is inside a landmark.
      portalProps={{ target: '#content' }}
    >
      <Spotlight.Search
        aria-label={t('Search recordings, pages and actions')}
        placeholder={t('Recordings, pages, actions, or a time such as 12:30')}
        leftSection={<IconSearch {...iconProps} />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ id, label, entries }) =>
          entries.length === 0 ? null : (
            <Spotlight.ActionsGroup key={id} label={label}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </Spotlight.ActionsGroup>
          ),
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Selects recordings when they arrive: they appear above the first matching entry, which the palette has selected by then. */
function useFirstSelected(groups: PaletteGroup[]): void {
  const firstId = groups.flatMap(({ entries }) => entries)[0]?.id
  const selectedId = useRef(firstId)
  useEffect(() => {
    if (selectedId.current === firstId) return
    selectedId.current = firstId
    // Does what the palette does when the query changes; it offers no API for that.
    const list = document.getElementById(store.getState().listId)
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [firstId])
}

function Entry({ entry: { label, description, icon, keys, run } }: { entry: PaletteEntry }) {
  return (
    <Spotlight.Action
      label={label}
      {...(description !== undefined && { description })}
      leftSection={icon}
      rightSection={keys && <Kbd>{keys}</Kbd>}
      // The palette returns the focus when it closes; an action that moves the focus must run after that.
      onClick={() => setTimeout(run)}
    />
  )
}

interface PaletteGroup {
  id: string
  label: string
  entries: PaletteEntry[]
}

function usePaletteGroups(user: User, query: string): PaletteGroup[] {
  const navigate = useNavigate()
  const page = useAtomValue(pageCommandsAtom)
  const wanted = query.trim().toLocaleLowerCase()
  const isWanted = (label: string) => label.toLocaleLowerCase().includes(wanted)
  const seconds = parseTime(query)

  const times: PaletteEntry[] =
    page && seconds !== undefined
      ? [
          {
            id: 'time',
            label: t('Go to {time}', { time: formatClock(seconds) }),
            icon: <IconClock {...iconProps} />,
            run: () => page.goToTime(seconds),
          },
        ]
      : []
  const actions = (page?.commands ?? [])
    .filter(({ label }) => isWanted(label))
    .map((command): PaletteEntry => ({ ...command, icon: <IconCommand {...iconProps} /> }))
  const pages = listPalettePages(user)
    .filter(({ label }) => isWanted(label))
    .map(({ path, label }): PaletteEntry => ({
      id: path,
      label,
      icon: <IconArrowRight {...iconProps} />,
      run: () => void navigate(path),
    }))
  return [
    { id: 'times', label: t('Time'), entries: times },
    { id: 'recordings', label: t('Recordings'), entries: useRecordingEntries(query) },
    { id: 'actions', label: t('This recording'), entries: actions },
    { id: 'pages', label: t('Pages'), entries: pages },
    { id: 'search', label: t('Search'), entries: listSearches(query, (path) => void navigate(path)) },
  ]
}

/** Lists searches of all calls: text that is not a name may be a word that someone said. */
function listSearches(query: string, open: (path: string) => void): PaletteEntry[] {
  const q = query.trim()
  if (q === '') return []
  return [
    {
      id: 'search',
      label: t('Search all calls for “{q}”', { q: isolateName(q) }),
      icon: <IconListSearch {...iconProps} />,
      run: () => open(`${pageList.search.path}?${new URLSearchParams({ q })}`),
    },
  ]
}

function useRecordingEntries(query: string): PaletteEntry[] {
  const navigate = useNavigate()
  const [search] = useDebouncedValue(query.trim(), searchDelayMs)
  const { data } = useRecordings({ page: 1, per_page: maxRecordings, search })
  // Until the server has answered, shows the last search's recordings that match this query.
  const wanted = query.trim().toLocaleLowerCase()
  const found = (data?.recordings ?? []).filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  return found.map(({ id, name, duration }) => ({
    id,
    label: isolateName(name),
    description: formatClock(duration),
    icon: <IconMicrophone2 {...iconProps} />,
    run: () => void navigate(`/transcribe?recording=${id}`),
  }))
}
