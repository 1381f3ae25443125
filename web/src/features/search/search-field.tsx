import { Group, Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { maxSearchQueryLength } from '#contract/search-query.ts'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { useOpenedResult } from './opened-result.ts'
import classes from './search-field.module.css'
import { SearchHelp } from './search-help.tsx'
import type { SearchViewState } from './use-search-view.ts'

const typingDelayMs = 250

interface SearchFieldProps {
  ref: RefObject<HTMLInputElement | null>
  view: SearchViewState
  /** Called with a complete query. */
  onSubmit: (q: string) => void
  /** Called when the user moves on to the results. */
  onLeave: () => void
}

/** Searches once typing pauses, and immediately on Enter. */
export function SearchField({ ref, view, onSubmit, onLeave }: SearchFieldProps) {
  const { typed, change, submit } = useTypedText(view, onSubmit)
  useInitialFocus(ref)

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') submit(typed)
    else if (event.key === 'ArrowDown') onLeave()
    else return
    event.preventDefault()
  }

  return (
    <TextInput
      ref={ref}
      classNames={{ input: classes.input, section: classes.section }}
      size="lg"
      type="search"
      aria-label={t('Search all calls')}
      placeholder={t('Words of any call')}
      maxLength={maxSearchQueryLength}
      autoComplete="off"
      enterKeyHint="search"
      leftSection={<IconSearch size={20} stroke={1.5} aria-hidden />}
      rightSectionWidth={typed === '' ? 84 : 80}
      rightSection={
        <Group component="span" gap={4} wrap="nowrap">
          {typed === '' ? (
            <Kbd className={classes.key} aria-hidden>
              /
            </Kbd>
          ) : (
            <IconButton
              label={t('Clear the search')}
              onClick={() => {
                submit('')
                ref.current?.focus()
              }}
            >
              <IconX size={18} stroke={1.5} />
            </IconButton>
          )}
          <SearchHelp />
        </Group>
      }
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

/** Returns the text of the field: the typed text, until the address changes to another search. */
function useTypedText(view: SearchViewState, onSubmit: (q: string) => void) {
  const [typed, setTyped] = useState(view.q)
  const [seen, setSeen] = useState(view.q)
  /** The query expected in the address next, without anything typed since. */
  const [sent, setSent] = useState(view.q)
  if (seen !== view.q) {
    setSeen(view.q)
    if (view.q !== sent) {
      setSent(view.q)
      setTyped(view.q)
    }
  }

  const sendTyped = useDebouncedCallback((q: string) => {
    setSent(q.trim())
    view.type(q)
  }, typingDelayMs)

  return {
    typed,
    change(q: string) {
      setTyped(q)
      sendTyped(q)
    },
    submit(q: string) {
      sendTyped.cancel()
      setTyped(q)
      setSent(q.trim())
      onSubmit(q)
    },
  }
}

/** Focuses the field when the page is opened; when the user returns, the result opened from it is focused instead. */
function useInitialFocus(field: RefObject<HTMLInputElement | null>): void {
  const isReturning = useOpenedResult().returnedTo !== null
  const isWanted = useRef(!isReturning)
  useEffect(() => {
    if (isWanted.current) field.current?.focus({ preventScroll: true })
    isWanted.current = false
  }, [field])
}
