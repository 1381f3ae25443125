import { VisuallyHidden, Tooltip } from '@mantine/core'
import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { describeHit } from './describe-hit.ts'
import { hitFilterAtom } from './filter-hits.ts'
import classes from './hit-row.module.css'
import type { LineHit } from '../state/line-hits.ts'

interface HitRowProps {
  hit: LineHit
  line: ConversationLine
  /** Whether this hit was visited last. */
  isActive: boolean
  isTabStop: boolean
  isReviewed: boolean
  onGo: () => void
  onPlay: () => void
  /** Undefined if the user may not mark the hit. */
  onReview: (() => void) | undefined
}

/** A longer excerpt would push the next hit out of view; a line may hold half a minute of speech. */
const maxCharactersPerSide = 70
const maxCharacters = 160

interface Excerpt {
  before: string
  marked: string
  after: string
}

/** A hit with its time, speaker and sentence, as a button that goes to it, beside buttons to play it and mark it as reviewed. */
export function HitRow({ hit, line, isActive, isTabStop, isReviewed, onGo, onPlay, onReview }: HitRowProps) {
  const { translation } = useDesk()
  const { texts } = useAtomValue(hitFilterAtom)
  const speaker = useSpeakers().describe(hit.speaker)
  const tabIndex = isTabStop ? 0 : -1
  const category = keywordCategoryNames[hit.category].name
  const title = describeHit(hit, speaker.name)
  const translated = line.translated?.translated_text
  return (
    <div className={classes.row} data-reviewed={isReviewed || undefined} aria-current={isActive || undefined}>
      <button type="button" className={classes.main} tabIndex={tabIndex} onClick={onGo}>
        <span className={classes.head}>
          <span className={classes.time}>{formatClock(hit.time)}</span>
          <SpeakerChip speaker={speaker} isNamed={speaker.isNameGiven} />
          <CategoryIcon category={hit.category} size={16} />
          <Isolated className={classes.keyword}>{hit.keyword}</Isolated>
          {hit.isSimilar && <span className={classes.note}>{t('by sound')}</span>}
          <VisuallyHidden>{isReviewed ? t('{category}, reviewed', { category }) : category}</VisuallyHidden>
        </span>
        {texts !== 'translation' && line.segment && (
          <HitText text={line.segment.text} hit={hit.original} language={line.language} title={title} />
        )}
        {texts !== 'transcription' && translated && (
          <HitText
            text={translated}
            hit={hit.translation}
            language={translation?.target_language ?? null}
            title={title}
            isSecondary={texts === 'both'}
          />
        )}
      </button>
      <span className={classes.actions}>
        <IconButton label={t('Play from 2 s before')} tabIndex={tabIndex} onClick={onPlay}>
          <IconPlayerPlay size={16} stroke={1.5} />
        </IconButton>
        {onReview && (
          <IconButton
            label={isReviewed ? t('Mark as not reviewed (R)') : t('Mark as reviewed (R)')}
            tabIndex={tabIndex}
            onClick={onReview}
          >
            {isReviewed ? (
              <IconCircleCheckFilled size={18} className={classes.reviewed} />
            ) : (
              <IconCircle size={18} stroke={1.5} />
            )}
          </IconButton>
        )}
      </span>
    </div>
  )
}

/** Returns the part of a text around an offset range, cut between words; its beginning if there is no range. */
function excerptAround(text: string, range: { start: number; end: number } | null): Excerpt {
  if (!range) return { before: '', marked: '', after: cutEnd(text, maxCharacters) }
  const before = text.slice(0, range.start)
  const after = text.slice(range.end)
  const isShort = text.length <= maxCharacters
  return {
    before: isShort ? before : cutStart(before, maxCharactersPerSide),
    marked: text.slice(range.start, range.end),
    after: isShort ? after : cutEnd(after, maxCharactersPerSide),
  }
}

function cutEnd(text: string, max: number): string {
  if (text.length <= max) return text
  const end = text.lastIndexOf(' ', max)
  return `${text.slice(0, end > 0 ? end : max)} …`
}

function cutStart(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.indexOf(' ', text.length - max)
  return `… ${text.slice(start >= 0 ? start + 1 : text.length - max)}`
}

interface HitTextProps {
  text: string
  /** Null if this text lacks the keyword. */
  hit: KeywordHit | null
  language: string | null
  /** The tooltip of the word. */
  title: string
  /** Whether this is a translation, shown below its original. */
  isSecondary?: boolean
}

/** The sentence around a hit, its word underlined: with a dashed line if the word only sounds like the keyword. */
function HitText({ text, hit, language, title, isSecondary = false }: HitTextProps) {
  const { before, marked, after } = excerptAround(text, hit)
  return (
    <DirectionalText
      as="span"
      language={language}
      plainText={text}
      className={isSecondary ? `${classes.text} ${classes.secondary}` : (classes.text ?? '')}
    >
      {before}
      {hit && (
        <Tooltip label={title}>
          <mark className={classes.mark} data-category={hit.category} data-similar={hit.isSimilar}>
            {marked}
          </mark>
        </Tooltip>
      )}
      {after}
    </DirectionalText>
  )
}
