import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState, type FormEvent } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import type { SavedFilter } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { toastError } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { useSavedFilters } from './use-library-lists.ts'

/** Renames and deletes saved filters. */
export function ManageFilters() {
  const { filters } = useSavedFilters()
  if (filters.length === 0) return <Text c="dimmed">{t('There are no saved filters.')}</Text>
  return (
    <Stack component="ul" gap="xs" aria-label={t('Saved filters')}>
      {filters.map((saved) => (
        <li key={saved.id}>
          <FilterRow saved={saved} />
        </li>
      ))}
    </Stack>
  )
}

function FilterRow({ saved }: { saved: SavedFilter }) {
  const { save, remove } = useSavedFilters()
  const [name, setName] = useState(saved.name)
  const wanted = name.trim()
  const isChanged = wanted !== '' && wanted !== saved.name

  async function rename(event: FormEvent) {
    event.preventDefault()
    const { id, ...kept } = saved
    try {
      // Saves under the new name before deleting the old one, so that nothing is lost.
      await save.mutateAsync({ ...kept, name: wanted })
      await remove.mutateAsync(id)
    } catch (error) {
      showError(error)
    }
  }

  return (
    <Group component="form" gap="xs" wrap="nowrap" onSubmit={(event) => void rename(event)}>
      <TextInput
        flex={1}
        size="sm"
        aria-label={t('Name of {name}', { name: saved.name })}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isChanged && (
        <Button type="submit" size="sm" loading={save.isPending}>
          {t('Rename')}
        </Button>
      )}
      <IconButton
        label={t('Delete {name}', { name: isolateName(saved.name) })}
        size="lg"
        onClick={() => remove.mutate(saved.id, { onError: showError })}
      >
        <IconTrash size={18} stroke={1.5} />
      </IconButton>
    </Group>
  )
}

function showError(error: unknown): void {
  toastError(messageOf(error, t('Network error. Please try again.')))
}
