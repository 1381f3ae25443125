import { Box, Button, Menu, Modal, TextInput } from '@mantine/core'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './filter-bar.module.css'
import { isUnfiltered } from './library-address.ts'
import { ManageFilters } from './manage-filters.tsx'
import { useSavedFilters } from './use-library-lists.ts'
import type { LibraryViewState } from './use-library-view.ts'

/** Applies, saves and manages named filters. */
export function SavedFilters({ view }: { view: LibraryViewState }) {
  const { filters } = useSavedFilters()
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const close = () => setDialog(null)
  return (
    <Box component="span" ms="auto">
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            h={32}
            leftSection={<IconBookmark size={16} stroke={1.5} aria-hidden />}
          >
            {t('Saved filters')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} className={classes.dropdown}>
          {filters.length === 0 && (
            <Menu.Label>{t('None yet: filter the list, then save the filter here.')}</Menu.Label>
          )}
          {filters.map(({ id, name, filter, sort, order }) => (
            <Menu.Item key={id} onClick={() => view.show({ filter, order: { sort, order } })}>
              <Isolated>{name}</Isolated>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={isUnfiltered(view.filter)} onClick={() => setDialog('save')}>
            {t('Save this filter…')}
          </Menu.Item>
          {filters.length > 0 && <Menu.Item onClick={() => setDialog('manage')}>{t('Rename or delete…')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={dialog === 'save'} onClose={close} title={t('Save filter')}>
        <SaveForm view={view} onClose={close} />
      </Modal>
      <Modal opened={dialog === 'manage'} onClose={close} title={t('Saved filters')}>
        <ManageFilters />
      </Modal>
    </Box>
  )
}

function SaveForm({ view, onClose }: { view: LibraryViewState; onClose: () => void }) {
  const { save, filters } = useSavedFilters()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { name: '' },
    send: ({ name }) => save.mutateAsync({ name, filter: view.filter, ...view.order }),
    onSuccess: () => {
      toastSuccess(t('Filter saved'))
      onClose()
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  const name = form.values.name.trim()
  const isReplacing = filters.some((each) => each.name === name)
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label={t('Name')}
        description={isReplacing ? t('The filter of this name is replaced.') : undefined}
        data-autofocus
        maxLength={80}
        {...form.getInputProps('name')}
      />
      <DialogActions onCancel={onClose} mt="lg">
        <Button type="submit" loading={isBusy} disabled={!name}>
          {t('Save')}
        </Button>
      </DialogActions>
    </form>
  )
}
