import { Button, Group, Menu, Progress, Switch, Text, Title } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconZoomScan from '@tabler/icons-react/dist/esm/icons/IconZoomScan.mjs'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { WatchList, WatchListScan } from '#contract/alerts.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import type { useWatchListActions } from './use-watch-lists.ts'
import classes from './watch-list-card.module.css'
import common from '../../shared/ui/common.module.css'

interface WatchListCardProps {
  list: WatchList
  actions: ReturnType<typeof useWatchListActions>
  onEdit: () => void
  onRemove: () => void
}

const maxShownWords = 12

/** A watch list: what it watches for, whether it is on, and its scan of the library. */
export function WatchListCard({ list, actions, onEdit, onRemove }: WatchListCardProps) {
  const { id, name, scan, unread, is_on: isOn } = list
  const headingId = useId()
  return (
    <section className={classes.card} aria-labelledby={headingId} data-off={!isOn || undefined}>
      <Group component="header" gap="xs" wrap="nowrap">
        <Title order={2} size="h3" id={headingId} flex={1} miw={0} className={common.wrap}>
          <Isolated>{name}</Isolated>
        </Title>
        <Switch checked={isOn} onChange={() => actions.toggle(list)} aria-label={t('Watch for {name}', { name })} />
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton label={t('More for {name}', { name: isolateName(name) })} size="lg">
              <IconDots size={18} stroke={1.5} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} stroke={1.5} />} onClick={onEdit}>
              {t('Change')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconZoomScan size={16} stroke={1.5} />}
              disabled={scan?.state === 'running'}
              onClick={() => actions.scan(list)}
            >
              {t('Scan my library now')}
            </Menu.Item>
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} stroke={1.5} />}
              onClick={onRemove}
            >
              {t('Delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Watched list={list} />
      <Text size="sm" c="dimmed">
        {describeRule(list)}
      </Text>
      {scan && <Scan name={name} scan={scan} onCancel={() => actions.cancelScan(list)} />}
      <footer className={classes.foot}>
        <Link to={`/alerts?watch_list=${id}`}>
          {t('{unread, plural, =0 {No new alerts} one {# new alert} other {# new alerts}}', { unread })}
        </Link>
        <Button size="xs" variant="default" onClick={onEdit}>
          {t('Change')}
        </Button>
      </footer>
    </section>
  )
}

function Watched({ list: { categories, words } }: { list: WatchList }) {
  const rest = words.length - maxShownWords
  return (
    <Group component="ul" gap={6} align="stretch" aria-label={t('Watched')}>
      {categories.map((category) => (
        <li key={category} className={classes.chip} data-category={category}>
          <CategoryIcon category={category} size={16} />
          {keywordCategoryNames[category].name}
        </li>
      ))}
      {words.slice(0, maxShownWords).map((word) => (
        <li key={word} className={classes.chip}>
          <Isolated>{word}</Isolated>
        </li>
      ))}
      {rest > 0 && (
        <Text component="li" inherit c="dimmed" fz="sm">
          {t('and {rest, number} more', { rest })}
        </Text>
      )}
    </Group>
  )
}

function Scan({ name, scan, onCancel }: { name: string; scan: WatchListScan; onCancel: () => void }) {
  const { state, done, total, raised } = scan
  if (state !== 'running') {
    return (
      <Text size="sm">
        {state === 'done'
          ? t('Library scanned: {raised, plural, =0 {nothing new} one {# new alert} other {# new alerts}}.', { raised })
          : t('Scan stopped: {raised, plural, =0 {nothing new} one {# new alert} other {# new alerts}}.', { raised })}
      </Text>
    )
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        flex={1}
        value={total === 0 ? 100 : (done / total) * 100}
        aria-label={t('Scan of your library for {name}', { name })}
      />
      <Text size="sm" span className={common.figures}>
        {t('{done, number} of {total, number}', { done, total })}
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={onCancel}>
        {t('Stop')}
      </Button>
    </Group>
  )
}

function describeRule({ texts, threshold, tags, is_on: isOn }: WatchList): string {
  const [first, ...others] = tags.map(isolateName)
  const values = { texts, threshold }
  const rule =
    first === undefined
      ? t(
          'In {texts, select, original {original texts} translation {translations} other {originals and translations}} of all recordings{threshold, plural, =1 {} other {, from # hits in a recording}}.',
          values,
        )
      : t(
          'In {texts, select, original {original texts} translation {translations} other {originals and translations}} of recordings tagged {tags}{threshold, plural, =1 {} other {, from # hits in a recording}}.',
          { ...values, tags: others.reduce((listed, tag) => t('{listed} or {tag}', { listed, tag }), first) },
        )
  return isOn ? rule : t('Off. {rule}', { rule })
}
