import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { t } from '#contract/texts/t.ts'
import classes from './found-calls.module.css'
import { FoundCall } from './found-call.tsx'
import { useOpenedResult } from './opened-result.ts'
import { focusResultOf, listResults, useResultKeys } from './use-result-keys.ts'
import type { SearchState } from './use-search.ts'
import type { SearchViewState } from './use-search-view.ts'

interface FoundCallsProps {
  view: SearchViewState
  search: SearchState
  listRef: RefObject<HTMLOListElement | null>
  /** Called when a result is opened. */
  onOpen: () => void
  onEscape: () => void
}

/** The calls with their matches. One result has the roving focus. */
export function FoundCalls({ view, search, listRef, onOpen, onEscape }: FoundCallsProps) {
  const { calls, hasMore, isLoadingMore, loadMore } = search
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const { rememberOpened } = useOpenedResult()
  const showMore = useFocusBeyond(listRef, loadMore)
  const onKeyDown = useResultKeys({ onLeave: onEscape, onEnd: () => hasMore && !isLoadingMore && showMore() })
  useReturn(listRef)
  const tabStop = findTabStop(search, activeKey)

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links' handlers, once for all: each link is reached by keyboard */}
      <ol
        ref={listRef}
        className={classes.calls}
        aria-label={t('Results')}
        aria-busy={search.isOutdated || undefined}
        onKeyDown={onKeyDown}
        onFocus={({ target }) =>
          setActiveKey(target.closest<HTMLElement>('[data-result]')?.dataset.result ?? activeKey)
        }
        onClick={({ target }) => {
          const key = target instanceof Element && target.closest<HTMLElement>('[data-result]')?.dataset.result
          if (!key) return
          rememberOpened(key)
          onOpen()
        }}
      >
        {calls.map((found) => (
          <FoundCall key={found.recording.id} found={found} view={view} tabStop={tabStop} />
        ))}
      </ol>
      {hasMore && (
        <Group gap={0} align="stretch" justify="center" wrap="nowrap" mt="lg">
          <Button variant="default" loading={isLoadingMore} onClick={showMore}>
            {t('Show more calls')}
          </Button>
        </Group>
      )}
    </>
  )
}

/** Returns the result that is in the tab order: the one last focused, else the first. */
function findTabStop({ calls }: SearchState, activeKey: string | null): string {
  const [first] = calls
  if (activeKey !== null && calls.some(({ recording }) => activeKey.startsWith(recording.id))) return activeKey
  if (!first) return ''
  return `${first.recording.id}:${first.lines[0]?.kind === 'name' ? 'name' : 0}`
}

/** Returns a function that loads more calls and moves the focus to the first of them. */
function useFocusBeyond(list: RefObject<HTMLElement | null>, loadMore: () => Promise<unknown>) {
  const focusFrom = useRef<number | null>(null)
  // Runs after each render, since it is not known which one brings the results.
  useEffect(() => {
    if (focusFrom.current === null || !list.current) return
    const next = listResults(list.current)[focusFrom.current]
    if (!next) return
    focusFrom.current = null
    next.focus()
  })
  return () => {
    focusFrom.current = list.current ? listResults(list.current).length : null
    void loadMore()
  }
}

/** Focuses the result that the user returns from, unless something else has the focus. */
function useReturn(list: RefObject<HTMLElement | null>) {
  const { returnedTo } = useOpenedResult()
  const wanted = useRef(returnedTo)
  useEffect(() => {
    if (wanted.current === null) return
    if (document.activeElement === document.body || document.activeElement === null)
      focusResultOf(list.current, wanted.current)
    wanted.current = null
  }, [list])
}
