import { VisuallyHidden } from '@mantine/core'
import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { describeHit } from './describe-hit.ts'
import { hitFilterAtom } from './filter-hits.ts'
import { HitText } from './hit-text.tsx'
import classes from './hit-row.module.css'
import type { LineHit } from '../state/line-hits.ts'

interface HitRowProps {
  hit: LineHit
  line: ConversationLine
  /** Whether it was visited last. */
  isActive: boolean
  isTabStop: boolean
  isReviewed: boolean
  onGo: () => void
  onPlay: () => void
  /** Undefined where the user may not mark it. */
  onReview: (() => void) | undefined
}

/** A hit with its time, speaker and sentence, as a button that goes to it; beside it buttons to play it and to mark it as reviewed. */
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
