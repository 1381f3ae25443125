import { Group, Text, Title, Badge, Checkbox, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { maxAlertsPerRecording, type Alert, type AlertState } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { translateSpeaker } from '#contract/speaker-display.ts'
import { formatAgo, formatMoment, formatClock } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import common from '../../shared/ui/common.module.css'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { languageName } from '../../shared/recordings/languages.ts'
import { DirectionalText } from '../../shared/ui/directional-text.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import classes from './alert-group.module.css'

interface AlertGroupProps {
  /** The alerts of one recording. */
  alerts: Alert[]
  activeId: string | undefined
  selected: ReadonlySet<string>
  onFocus: (id: string) => void
  onSelect: (alert: Alert) => void
  onMark: (alert: Alert, state: AlertState) => void
}

interface AlertRowProps {
  alert: Alert
  isTabStop: boolean
  isSelected: boolean
  onFocus: () => void
  onSelect: () => void
  onMark: (state: AlertState) => void
}

/** The alerts of a recording under its name. */
export function AlertGroup({ alerts, activeId, selected, onFocus, onSelect, onMark }: AlertGroupProps) {
  const id = useId()
  const [first] = alerts
  if (!first) return null
  const { recording, created_at: createdAt } = first
  return (
    <section className={classes.group} aria-labelledby={id}>
      <Group
        component="header"
        gap="0.25rem 1rem"
        align="baseline"
        justify="space-between"
        py="sm"
        px="md"
        bg="var(--awaz-sunken)"
        className={common.lineBelow}
      >
        <Title order={2} size="h3" id={id} className={classes.name}>
          <Link to={`/transcribe?recording=${recording.id}`}>
            <Isolated>{recording.name}</Isolated>
          </Link>
        </Title>
        <Text span size="sm" c="dimmed" title={formatMoment(createdAt)}>
          {t('{count, plural, one {# alert} other {# alerts}}', { count: alerts.length })} · {formatAgo(createdAt)}
        </Text>
      </Group>
      {recording.is_capped && (
        <Text size="sm" c="dimmed" py="xs" px="md" className={common.lineBelow}>
          {t('This recording has more hits: only {count, number} became alerts. The desk shows all of them.', {
            count: maxAlertsPerRecording,
          })}
        </Text>
      )}
      <ul>
        {alerts.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            isTabStop={alert.id === activeId}
            isSelected={selected.has(alert.id)}
            onFocus={() => onFocus(alert.id)}
            onSelect={() => onSelect(alert)}
            onMark={(state) => onMark(alert, state)}
          />
        ))}
      </ul>
    </section>
  )
}

/** An alert with its word, place and sentence, linked to the desk at that time, beside the controls to mark it. */
function AlertRow({ alert, isTabStop, isSelected, onFocus, onSelect, onMark }: AlertRowProps) {
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
