import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import { keywordCategories, type Keywords } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { useSetAtom } from '../../../shared/jotai.ts'
import { useDesk } from '../state/desk-context.ts'
import { everyHit, hitFilterAtom } from './filter-hits.ts'

/** Says that the built-in lists are in use, where the user has none. */
export function KeywordSource({ keywords }: { keywords: Keywords }) {
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

/** Why the list is empty, and what to do. `found` hits are hidden by filters. */
export function NoHitsMessage({ found }: { found: number }) {
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
