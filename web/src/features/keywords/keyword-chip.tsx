import { Pill, Tooltip, UnstyledButton } from '@mantine/core'
import IconEar from '@tabler/icons-react/dist/esm/icons/IconEar.mjs'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './keywords.module.css'

interface KeywordChipProps {
  word: string
  category: KeywordCategory
  /** Whether similar-sounding words match too. */
  isSimilar: boolean
  /** Undefined where the word is too short to match by sound. */
  onToggleSimilar: (() => void) | undefined
  onRemove: () => void
}

/** A keyword with a switch for what sounds like it, and a remove button. */
export function KeywordChip({ word, category, isSimilar, onToggleSimilar, onRemove }: KeywordChipProps) {
  return (
    <Pill
      withRemoveButton
      size="lg"
      removeButtonProps={{ 'aria-label': t('Remove {word}', { word }), 'aria-hidden': false, tabIndex: 0 }}
      onRemove={onRemove}
      className={classes.chip}
      classNames={{ label: classes.chipLabel }}
      data-category={category}
    >
      {onToggleSimilar && (
        <Tooltip label={isSimilar ? t('Also finds words that sound like it') : t('Finds the word as written')}>
          <UnstyledButton
            className={classes.similar}
            role="switch"
            aria-checked={isSimilar}
            aria-label={t('Also find what sounds like {word}', { word })}
            onClick={onToggleSimilar}
          >
            <IconEar size={16} stroke={1.75} aria-hidden />
          </UnstyledButton>
        </Tooltip>
      )}
      <Isolated>{word}</Isolated>
    </Pill>
  )
}
