import { Button, Text } from '@mantine/core'
import IconFileMusic from '@tabler/icons-react/dist/esm/icons/IconFileMusic.mjs'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { maxLinesOfCall, type FoundCall as Found } from '#contract/endpoints/search.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock, formatMoment } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './found-call.module.css'
import { FoundLine } from './found-line.tsx'
import { lineAddress } from './line-address.ts'
import { MarkedText } from './marked-text.tsx'
import { useLinesOfCall } from './use-search.ts'
import type { SearchViewState } from './use-search-view.ts'

type Range = Found['lines'][number]['marks'][number]

interface FoundCallProps {
  found: Found
  view: SearchViewState
  /** The key of the result that is in the tab order. */
  tabStop: string
}

/** A call with its matching lines, the first of which are shown. */
export function FoundCall({ found, view, tabStop }: FoundCallProps) {
  const id = useId()
  const { recording, total } = found
  const [isExpanded, setIsExpanded] = useState(false)
  const all = useLinesOfCall(view, recording.id, isExpanded)
  const lines = all.lines ?? found.lines
  const texts = lines.filter(({ kind }) => kind !== 'name')
  const isCut = total > lines.length
  const lineCount = total - (lines.length - texts.length)
  return (
    <li className={classes.call}>
      <article aria-labelledby={id}>
        <header className={classes.head}>
          <CallName found={found} id={id} tabStop={tabStop} />
          <p className={classes.facts}>
            <span>{formatMoment(recording.created_at)}</span>
            <span>{formatClock(recording.duration)}</span>
            {recording.language && <span>{languageName(recording.language)}</span>}
            {lineCount > 0 && (
              <span className={classes.total}>
                {t('{count, plural, one {# line} other {# lines}}', { count: lineCount })}
              </span>
            )}
            {!found.is_in_one_line && <span>{t('the words stand in different lines')}</span>}
          </p>
        </header>
        {texts.length > 0 && (
          <ul>
            {texts.map((line, index) => {
              const key = `${recording.id}:${index}`
              return (
                <FoundLine
                  key={key}
                  line={line}
                  to={lineAddress(found, line)}
                  resultKey={key}
                  isTabStop={tabStop === key}
                />
              )
            })}
          </ul>
        )}
        {isCut && (
          <div className={classes.more}>
            {all.lines ? (
              <Text c="dimmed" inherit>
                {t('The first {count, number} are shown. Open the call to search all of it.', {
                  count: maxLinesOfCall,
                })}
              </Text>
            ) : (
              <Button
                variant="subtle"
                size="compact-sm"
                h={28}
                loading={all.isLoading}
                onClick={() => setIsExpanded(true)}
              >
                {t('Show all {count, plural, one {# line} other {# lines}} of this call', { count: lineCount })}
              </Button>
            )}
            {all.isError && <p role="alert">{t('They could not be loaded. Please try again.')}</p>}
          </div>
        )}
      </article>
    </li>
  )
}

/** The name links to the call; if the name itself matches, it is a result among the lines. */
function CallName({ found, id, tabStop }: { found: Found; id: string; tabStop: string }) {
  const { recording, lines } = found
  const match = lines.find(({ kind }) => kind === 'name')
  const key = `${recording.id}:name`
  return (
    <h2 id={id} className={classes.name}>
      <Link to={lineAddress(found)} tabIndex={match && tabStop === key ? 0 : -1} {...(match && { 'data-result': key })}>
        {match ? <FoundName {...match} /> : <Isolated>{recording.name}</Isolated>}
      </Link>{' '}
      {match && (
        <span className={classes.kind}>
          <IconFileMusic size={14} stroke={1.5} aria-hidden />
          {t('Name')}
        </span>
      )}
    </h2>
  )
}

/** A name with its matches marked; within each of its parts where those are isolated. */
function FoundName({ text, marks, spelled }: Found['lines'][number]) {
  return (
    <Isolated
      renderPart={(part, start) => (
        <MarkedText
          text={part}
          marks={cutRanges(marks, start, part.length)}
          spelled={cutRanges(spelled, start, part.length)}
        />
      )}
    >
      {text}
    </Isolated>
  )
}

/** Returns the parts of the ranges that lie within a part of a text, relative to the start of that part. */
function cutRanges(ranges: readonly Range[], start: number, length: number): Range[] {
  return ranges
    .map(([from, to]): Range => [Math.max(from - start, 0), Math.min(to - start, length)])
    .filter(([from, to]) => from < to)
}
