import { Badge, Checkbox, Group, VisuallyHidden } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Link } from 'react-router-dom'
import type { Alert, AlertState } from '#contract/alerts.ts'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { translateSpeaker } from '#contract/speaker-display.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../shared/format.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { languageName } from '../../shared/recordings/languages.ts'
import { DirectionalText } from '../../shared/ui/directional-text.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './alert-row.module.css'
import common from '../../shared/ui/common.module.css'

interface AlertRowProps {
  alert: Alert
  isTabStop: boolean
  isSelected: boolean
  onFocus: () => void
  onSelect: () => void
  onMark: (state: AlertState) => void
}

/** An alert with its word, place and sentence, as a link to the desk at that time; beside it how it is marked. */
export function AlertRow({ alert, isTabStop, isSelected, onFocus, onSelect, onMark }: AlertRowProps) {
  const { id, word, time, recording, state } = alert
  const tabIndex = isTabStop ? 0 : -1
  return (
    <li className={classes.row} data-state={state} data-gone={alert.is_gone || undefined}>
      <Checkbox
        className={classes.select}
        checked={isSelected}
        onChange={onSelect}
        tabIndex={tabIndex}
        aria-label={t('Select {word} at {time}', { word, time: formatClock(time) })}
      />
      <Link
        to={`/transcribe?recording=${recording.id}&t=${time}`}
        className={classes.main}
        data-alert={id}
        tabIndex={tabIndex}
        onFocus={onFocus}
      >
        <AlertFacts alert={alert} />
        <Sentence alert={alert} />
      </Link>
      <span className={classes.actions}>
        <IconButton
          label={state === 'reviewed' ? t('Mark as new (R)') : t('Reviewed (R)')}
          size="lg"
          tabIndex={tabIndex}
          onClick={() => onMark('reviewed')}
        >
          <IconCheck size={18} stroke={1.75} />
        </IconButton>
        <IconButton
          label={state === 'dismissed' ? t('Mark as new (D)') : t('Dismiss (D)')}
          size="lg"
          tabIndex={tabIndex}
          onClick={() => onMark('dismissed')}
        >
          <IconX size={18} stroke={1.75} />
        </IconButton>
      </span>
    </li>
  )
}

function AlertFacts({ alert }: { alert: Alert }) {
  const { word, category, time, speaker, language, watch_list: watchList, state } = alert
  const name = category ? keywordCategoryNames[category].name : t('Word of the watch list')
  const inLanguage = language && languageName(language)
  const translation = inLanguage ? t('{language} translation', { language: inLanguage }) : t('Other translation')
  const text = alert.is_translation ? translation : inLanguage
  return (
    <Group component="span" gap="0.125rem 0.75rem" c="dimmed" fz="sm">
      <Group
        component="span"
        gap={6}
        wrap="nowrap"
        display="inline-flex"
        miw={0}
        c="var(--mantine-color-text)"
        fz="md"
        fw={560}
        className={common.wrap}
      >
        {category ? <CategoryIcon category={category} size={16} /> : <IconEye size={16} stroke={1.5} aria-hidden />}
        <Isolated>{word}</Isolated>
        <VisuallyHidden>{`, ${name}`}</VisuallyHidden>
      </Group>
      <span className={common.figures}>{formatClock(time)}</span>
      {speaker && <Isolated>{translateSpeaker(speaker)}</Isolated>}
      {text && <span>{text}</span>}
      <Isolated className={classes.list}>{watchList.name}</Isolated>
      {alert.is_similar && <span>{t('by sound')}</span>}
      {state !== 'new' && <Badge color="gray">{state === 'reviewed' ? t('Reviewed') : t('Dismissed')}</Badge>}
      {alert.is_gone && <Badge color="amber">{t('No longer in the text')}</Badge>}
    </Group>
  )
}

function Sentence({ alert: { sentence, mark, language, category, is_similar: isSimilar } }: { alert: Alert }) {
  const [from, to] = mark
  return (
    <DirectionalText as="span" language={language} plainText={sentence} className={classes.sentence ?? ''}>
      {sentence.slice(0, from)}
      <mark className={classes.mark} data-category={category ?? 'own'} data-similar={isSimilar || undefined}>
        {sentence.slice(from, to)}
      </mark>
      {sentence.slice(to)}
    </DirectionalText>
  )
}
