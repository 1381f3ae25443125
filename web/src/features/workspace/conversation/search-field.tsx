import { ActionIcon, TextInput, Tooltip, VisuallyHidden } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import type { KeyboardEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { useSetAtom } from '../../../shared/jotai.ts'
import { searchFieldAtom } from '../state/navigation.ts'
import classes from './search-field.module.css'
import type { LineSearchState } from './use-line-search.ts'

interface SearchFieldProps {
  search: LineSearchState
  /** Called when the reader leaves the field. */
  onLeave: () => void
}

/** Searches both texts: Enter goes to the next match, Shift-Enter to the previous one, Escape clears and leaves the field. */
export function SearchField({ search, onLeave }: SearchFieldProps) {
  const setSearchField = useSetAtom(searchFieldAtom)

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && event.shiftKey) search.previous()
    else if (event.key === 'Enter') search.next()
    else if (event.key === 'Escape') leave()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  function leave() {
    search.change('')
    onLeave()
  }

  return (
    <TextInput
      ref={setSearchField}
      className={classes.field}
      aria-label={t('Search the conversation')}
      placeholder={t('Search the conversation')}
      type="search"
      size="sm"
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      rightSection={search.query.trim() !== '' && <MatchSteps search={search} />}
      rightSectionWidth={widthOf(search)}
      value={search.query}
      onFocus={search.prepare}
      onChange={(event) => search.change(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

/** Returns the width, in pixels, of the controls in the field beside the text. */
function widthOf({ query, spelledCount }: LineSearchState): number {
  if (query.trim() === '') return 0
  return spelledCount > 0 ? 166 : 138
}

function MatchSteps({ search }: { search: LineSearchState }) {
  const { matches, current } = search
  const total = matches.length
  return (
    <span className={classes.steps}>
      <span aria-hidden>
        {total === 0 ? t('No matches') : t('{position, number} of {total, number}', { position: current + 1, total })}
      </span>
      <VisuallyHidden role="status">{describePosition(search)}</VisuallyHidden>
      {search.spelledCount > 0 && <SpellingsToggle search={search} />}
      {total > 0 && (
        <>
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={t('Previous match')}
            onClick={search.previous}
          >
            <IconChevronUp size={16} stroke={1.5} />
          </ActionIcon>
          <ActionIcon size={24} variant="subtle" color="gray" aria-label={t('Next match')} onClick={search.next}>
            <IconChevronDown size={16} stroke={1.5} />
          </ActionIcon>
        </>
      )}
    </span>
  )
}

/** Includes or excludes matches in other spellings. */
function SpellingsToggle({ search: { spelledCount, hasSpellings, setHasSpellings } }: { search: LineSearchState }) {
  const label = t('{spelledCount, number} also spelled otherwise', { spelledCount })
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={24}
        variant={hasSpellings ? 'light' : 'subtle'}
        color="gray"
        aria-label={label}
        aria-pressed={hasSpellings}
        onClick={() => setHasSpellings(!hasSpellings)}
      >
        ≈
      </ActionIcon>
    </Tooltip>
  )
}

function describePosition({ matches, current }: LineSearchState): string {
  if (matches.length === 0) return t('No matches')
  const total = matches.length
  if (current < 0) return t('{total, plural, one {# match} other {# matches}}', { total })
  const values = { position: current + 1, total }
  return matches[current]?.isSpelled
    ? t('Match {position, number} of {total, number}, in another spelling', values)
    : t('Match {position, number} of {total, number}', values)
}
