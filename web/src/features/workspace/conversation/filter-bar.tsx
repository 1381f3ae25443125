import type { ReactNode } from 'react'
import { isolateName, withoutIsolates } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../shared/format.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import classes from './filter-bar.module.css'
import type { LineFilter } from './filter-lines.ts'

interface FilterBarProps {
  filter: LineFilter
  onChange: (filter: LineFilter) => void
  /** As on the Hits tab, which is on screen at the same time: lines with two hits count twice. */
  hitCount: number
  /** Undefined if the transcript has no confidences. */
  uncertainCount: number | undefined
}

/** Narrows the conversation to lines of some speakers, lines with keywords, or uncertain lines. */
export function FilterBar({ filter, onChange, hitCount, uncertainCount }: FilterBarProps) {
  const { voices } = useSpeakers()
  const { speakers, isOnlyHits, isOnlyUncertain } = filter

  function toggleSpeaker(label: string) {
    const isChosen = speakers.includes(label)
    onChange({ ...filter, speakers: isChosen ? speakers.filter((each) => each !== label) : [...speakers, label] })
  }

  return (
    <div className={classes.filters} role="group" aria-label={t('Filters')}>
      {voices.length > 1 &&
        voices.map((voice) => (
          <Toggle
            key={voice.label}
            isOn={speakers.includes(voice.label)}
            label={t('Only {name}', { name: isolateName(voice.name) })}
            onClick={() => toggleSpeaker(voice.label)}
          >
            <SpeakerChip speaker={voice} />
          </Toggle>
        ))}
      <Toggle
        isOn={isOnlyHits}
        isDisabled={hitCount === 0 && !isOnlyHits}
        onClick={() => onChange({ ...filter, isOnlyHits: !isOnlyHits })}
      >
        <Kept count={hitCount}>{rich('<a>Only </a><b>hits</b>', keptTags)}</Kept>
      </Toggle>
      {uncertainCount !== undefined && (
        <Toggle
          isOn={isOnlyUncertain}
          isDisabled={uncertainCount === 0 && !isOnlyUncertain}
          title={t('Underlined words are uncertain. U goes to the next uncertain line.')}
          onClick={() => onChange({ ...filter, isOnlyUncertain: !isOnlyUncertain })}
        >
          <Kept count={uncertainCount}>{rich('<a>Only </a><b>uncertain</b>', keptTags)}</Kept>
        </Toggle>
      )}
    </div>
  )
}

const keptTags = {
  a: (children: ReactNode[]) => <span className={classes.only}>{children}</span>,
  b: (children: ReactNode[]) => <span className={classes.kept}>{children}</span>,
}

/** The number of lines that a filter keeps. */
function Kept({ count, children }: { count: number; children: ReactNode }) {
  return (
    <span>
      {children} <span className={classes.count}>{formatNumber(count)}</span>
    </span>
  )
}

interface ToggleProps {
  isOn: boolean
  isDisabled?: boolean
  /** Needed if the content does not name the button. */
  label?: string
  title?: string
  onClick: () => void
  children: ReactNode
}

function Toggle({ isOn, isDisabled = false, label, title = label, onClick, children }: ToggleProps) {
  return (
    <button
      type="button"
      className={classes.toggle}
      aria-pressed={isOn}
      aria-label={label === undefined ? undefined : withoutIsolates(label)}
      title={title}
      disabled={isDisabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
