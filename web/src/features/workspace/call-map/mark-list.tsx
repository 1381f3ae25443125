import { useRef, useState, type KeyboardEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { PersonName } from '../speakers/person-name.tsx'
import { usePlayer } from '../player/player-context.ts'
import type { MapMark } from './map-marks.ts'
import classes from './mark-list.module.css'

/** An hour may have hundreds of marks, each an element on the page. */
const pageSize = 100

/**
 * Everything that the map shows besides speech, as a list for keyboard and screen reader users. Its button is visible while focused; the
 * list is rendered when opened, and closes when the focus leaves it.
 */
export function MarkList({ marks }: { marks: readonly MapMark[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  if (marks.length === 0) return null

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    event.stopPropagation()
    setIsOpen(false)
    toggle.current?.focus()
  }

  return (
    <div
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false)
      }}
    >
      <button
        ref={toggle}
        type="button"
        className={classes.toggle}
        aria-expanded={isOpen}
        onClick={() => setIsOpen((open) => !open)}
        onKeyDown={closeOnEscape}
      >
        {t('List of marks ({count, number})', { count: marks.length })}
      </button>
      {isOpen && <Marks marks={marks} onKeyDown={closeOnEscape} />}
    </div>
  )
}

/** The buttons of the list. The Tab key reaches one of them; the arrow keys move among them. */
function Marks({ marks, onKeyDown }: { marks: readonly MapMark[]; onKeyDown: (event: KeyboardEvent) => void }) {
  const { seek } = usePlayer()
  const [shownCount, setShownCount] = useState(pageSize)
  const [current, setCurrent] = useState(0)
  const list = useRef<HTMLOListElement>(null)

  function move(event: KeyboardEvent) {
    const last = Math.min(shownCount, marks.length) - 1
    const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: last }[event.key]
    if (target === undefined) return onKeyDown(event)
    event.preventDefault()
    event.stopPropagation()
    const next = Math.min(last, Math.max(0, target))
    setCurrent(next)
    list.current?.querySelectorAll('button').item(next).focus()
  }

  return (
    <div className={classes.panel}>
      <ol ref={list} aria-label={t('Marks on the call map')}>
        {marks.slice(0, shownCount).map((mark, index) => (
          <li key={mark.id}>
            <button
              type="button"
              className={classes.mark}
              tabIndex={index === current ? 0 : -1}
              onFocus={() => setCurrent(index)}
              onKeyDown={move}
              onClick={() => seek(mark.time)}
            >
              <MarkText mark={mark} />
            </button>
          </li>
        ))}
      </ol>
      {shownCount < marks.length && (
        <button
          type="button"
          className={classes.more}
          onKeyDown={onKeyDown}
          onClick={() => setShownCount((count) => count + pageSize)}
        >
          {t('Show {count, number} more', { count: Math.min(pageSize, marks.length - shownCount) })}
        </button>
      )}
    </div>
  )
}

/** `3:12 · Threats: bomb · Speaker A` */
function MarkText({ mark }: { mark: MapMark }) {
  const { clock, label, words, speaker, isReviewed } = mark
  return (
    <>
      {`${clock} · ${label}`}
      {words && (
        <>
          {': '}
          <DirectionalText as="span" language={null}>
            {words}
          </DirectionalText>
        </>
      )}
      {speaker && (
        <>
          {' · '}
          <PersonName>{speaker}</PersonName>
        </>
      )}
      {isReviewed && ` · ${t('Reviewed')}`}
    </>
  )
}
