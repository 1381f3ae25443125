import { CloseButton, Group, NativeSelect } from '@mantine/core'
import { AlertCategory, AlertStateFilter, type AlertFilter, type WatchList } from '#contract/alerts.ts'
import { keywordCategories, keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './inbox-filter.module.css'
import common from '../../shared/ui/common.module.css'

interface InboxFilterProps {
  filter: AlertFilter
  watchLists: WatchList[]
  /** Of the recording that the filter names, where it is known. */
  recordingName: string | undefined
  onChange: (filter: AlertFilter) => void
}

const states: { value: AlertStateFilter; label: string }[] = [
  { value: 'new', label: t('New') },
  { value: 'reviewed', label: t('Reviewed') },
  { value: 'dismissed', label: t('Dismissed') },
  { value: 'gone', label: t('No longer in the text') },
  { value: 'all', label: t('All') },
]
const categories = [
  { value: '', label: t('All categories') },
  ...keywordCategories.map((category) => ({ value: category, label: keywordCategoryNames[category].name })),
  { value: 'own', label: t('Words of watch lists') },
]

/** Which alerts are shown. */
export function InboxFilter({ filter, watchLists, recordingName, onChange }: InboxFilterProps) {
  const { recording: _recording, ...others } = filter
  return (
    <div className={classes.bar} role="group" aria-label={t('Filters')}>
      <NativeSelect
        label={t('State')}
        data={states}
        value={filter.state}
        onChange={({ currentTarget }) => onChange({ ...filter, state: AlertStateFilter.parse(currentTarget.value) })}
      />
      <NativeSelect
        label={t('Watch list')}
        data={[
          { value: '', label: t('All watch lists') },
          ...watchLists.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filter.watch_list ?? ''}
        onChange={({ currentTarget }) => onChange({ ...filter, watch_list: currentTarget.value || undefined })}
      />
      <NativeSelect
        label={t('Category')}
        data={categories}
        value={filter.category ?? ''}
        onChange={({ currentTarget }) => {
          onChange({ ...filter, category: AlertCategory.safeParse(currentTarget.value).data })
        }}
      />
      {filter.recording && (
        <Group
          component="span"
          gap={4}
          wrap="nowrap"
          display="inline-flex"
          miw={0}
          mih={36}
          px="0.75rem 0.25rem"
          bdrs="md"
          c="var(--awaz-accent-ink)"
          bg="var(--awaz-accent-soft)"
          className={common.wrap}
        >
          <Isolated>{recordingName ?? t('One recording')}</Isolated>
          <CloseButton size="sm" aria-label={t('Show all recordings')} onClick={() => onChange(others)} />
        </Group>
      )}
    </div>
  )
}
