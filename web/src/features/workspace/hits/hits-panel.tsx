import { Button, Checkbox, Group, NativeSelect, Stack, Text, Anchor, SimpleGrid, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { Keywords, keywordCategories, keywordCategoryNames, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { useAtom, useSetAtom } from '../../../shared/jotai.ts'
import { useKeywords } from '../../../shared/keywords/use-keywords.ts'
import { useUser } from '../../../shared/session/session.ts'
import { Panel } from '../../../shared/ui/panel.tsx'
import common from '../../../shared/ui/common.module.css'
import { formatNumber } from '../../../shared/format.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import { useDesk } from '../state/desk-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import type { LineHit } from '../state/line-hits.ts'
import { analysisExport } from './analysis-export.ts'
import { hitFilterAtom, hitsIn, type TextChoice, everyHit, countByCategory, toggleCategory } from './filter-hits.ts'
import { HitList } from './hit-list.tsx'
import { PossibleHitList } from './possible-hit-list.tsx'
import { ReviewBar } from './review-bar.tsx'
import { useHitNavigation } from './use-hit-navigation.ts'
import classes from './hits-panel.module.css'

const choices = [
  { value: 'both', label: t('Both Texts') },
  { value: 'transcription', label: t('Transcription Only') },
  { value: 'translation', label: t('Translation Only') },
]

interface CategoryFilterProps {
  hits: LineHit[]
  /** Empty for all. */
  chosen: KeywordCategory[]
  onChange: (chosen: KeywordCategory[]) => void
}

/** The keywords found in transcript and translation, by time (audio-workflow specification, section 2). */
export function HitsPanel() {
  const { recording, transcription, translation, hits } = useDesk()
  const { voices } = useSpeakers()
  const { keywords: own } = useKeywords(useUser().id)
  const [filter, setFilter] = useAtom(hitFilterAtom)
  const [isOpen, list] = useDisclosure(true)
  const listId = useId()
  const { shown } = useHitNavigation()
  const chosen = hitsIn(hits, filter.texts)

  function exportJson() {
    const { texts } = filter
    const content = analysisExport({
      keywords: Keywords.parse(keywordsInUse(own)),
      hits,
      texts,
      voices,
      now: new Date(),
    })
    downloadFile(`${baseName(recording.name)}-analysis.json`, JSON.stringify(content, null, 2), 'application/json')
  }

  return (
    <Panel
      title={t('Intelligence Analysis')}
      icon={<IconListSearch size={20} stroke={1.5} aria-hidden />}
      isFlush
      isFilling
      actions={
        <Button.Group>
          <Button variant="default" size="xs" onClick={exportJson} disabled={!transcription}>
            {t('Export JSON')}
          </Button>
          <Button variant="default" size="xs" onClick={list.toggle} aria-expanded={isOpen} aria-controls={listId}>
            {isOpen ? t('Collapse') : t('Expand')}
          </Button>
        </Button.Group>
      }
    >
      <Stack gap="xs" py="sm" px="md" className={common.lineBelow}>
        <CategoryFilter
          hits={chosen}
          chosen={filter.categories}
          onChange={(categories) => setFilter({ ...filter, categories })}
        />
        <Group gap="0.5rem 1rem" justify="space-between">
          <NativeSelect
            data={choices}
            value={filter.texts}
            onChange={({ currentTarget }) => setFilter({ ...filter, texts: toChoice(currentTarget.value) })}
            aria-label={t('Texts to scan')}
            size="xs"
          />
          <Checkbox
            size="xs"
            label={t('Unreviewed only')}
            checked={filter.isUnreviewedOnly}
            onChange={({ currentTarget }) => setFilter({ ...filter, isUnreviewedOnly: currentTarget.checked })}
          />
        </Group>
      </Stack>
      <div id={listId} className={classes.body} hidden={!isOpen}>
        <KeywordSource keywords={own} />
        {chosen.length > 0 && <ReviewBar hits={shown} all={chosen} />}
        {filter.texts === 'translation' && !translation && (
          <Text c="dimmed" p="0.75rem 1rem 0">
            {t('No translation available')}
          </Text>
        )}
        {shown.length > 0 ? <HitList hits={shown} /> : <NoHitsMessage found={chosen.length} />}
        <PossibleHitList />
      </div>
    </Panel>
  )
}

function toChoice(value: string): TextChoice {
  return value === 'transcription' || value === 'translation' ? value : 'both'
}

/** Says that the built-in lists are in use if the user has none. */
function KeywordSource({ keywords }: { keywords: Keywords }) {
  if (keywordCategories.some((category) => keywords[category].length > 0)) return null
  return (
    <Text size="sm" c="dimmed" p="0.75rem 1rem 0">
      {t(
        'You have no keywords yet, so the built-in lists in English, Pashto, Urdu, Persian, Dari and Arabic are used.',
      )}{' '}
      <SettingsLink />
    </Text>
  )
}

/** Says why the list is empty, and what to do. `found` hits are hidden by filters. */
function NoHitsMessage({ found }: { found: number }) {
  const { transcription } = useDesk()
  const setFilter = useSetAtom(hitFilterAtom)
  if (!transcription) {
    return (
      <Stack gap="sm" align="center" py={32} px="md" c="dimmed" fz="sm" ta="center">
        {t('Start the transcription: the keywords in it are listed here.')}
      </Stack>
    )
  }
  if (found > 0) {
    return (
      <Stack gap="sm" align="center" py={32} px="md" c="dimmed" fz="sm" ta="center">
        <span>
          {t('{found, plural, one {# hit is hidden by the filters.} other {# hits are hidden by the filters.}}', {
            found,
          })}
        </span>
        <Button size="xs" variant="default" onClick={() => setFilter(everyHit)}>
          {t('Show all')}
        </Button>
      </Stack>
    )
  }
  return (
    <Stack gap="sm" align="center" py={32} px="md" c="dimmed" fz="sm" ta="center">
      <span>{t('No keyword occurs in the text.')}</span>
      <SettingsLink />
    </Stack>
  )
}

function SettingsLink() {
  return (
    <Anchor component={Link} to="/settings/general" underline="always" inherit>
      {t('Keyword Settings')}
    </Anchor>
  )
}

/** The number of hits per category, each a button that limits the list to that category. */
function CategoryFilter({ hits, chosen, onChange }: CategoryFilterProps) {
  const counts = countByCategory(hits)
  return (
    <SimpleGrid cols={4} spacing="xs" role="group" aria-label={t('Categories')}>
      {keywordCategories.map((category) => (
        <UnstyledButton
          key={category}
          className={classes.category}
          data-category={category}
          aria-pressed={chosen.includes(category)}
          onClick={() => onChange(toggleCategory(chosen, category))}
        >
          <CategoryIcon category={category} size={16} />
          <span className={classes.name}>{keywordCategoryNames[category].name}</span>
          <Text span inherit fw={620} className={common.figures}>
            {formatNumber(counts[category])}
          </Text>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  )
}
