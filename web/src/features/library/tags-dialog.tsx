import { Button, Modal, MultiSelect, TagsInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Tag, type LibraryRecording, type LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { useTagRecordings } from './use-library-actions.ts'
import { useFacets } from './use-library-lists.ts'

interface TagsDialogProps {
  /** Null while the dialog is closed. `recording` is set for a single one. */
  target: { selection: LibrarySelection; count: number; recording?: LibraryRecording } | null
  onClose: () => void
  /** Called when the tags have been saved. */
  onDone: () => void
}

/** Adds tags to recordings and removes tags from them. */
export function TagsDialog({ target, onClose, onDone }: TagsDialogProps) {
  return (
    <Modal opened={target !== null} onClose={onClose} title={t('Tags')}>
      {target && <TagsForm target={target} onClose={onClose} onDone={onDone} />}
    </Modal>
  )
}

function TagsForm({ target, onClose, onDone }: TagsDialogProps & { target: NonNullable<TagsDialogProps['target']> }) {
  const known = (useFacets()?.tags ?? []).map(({ tag }) => tag)
  const before = target.recording?.tags ?? []
  const [tags, setTags] = useState<string[]>(before)
  const [removed, setRemoved] = useState<string[]>([])
  const tag = useTagRecordings()
  const error = findTagError(tags)
  const change = {
    add: tags.filter((each) => !before.includes(each)),
    remove: target.recording ? before.filter((each) => !tags.includes(each)) : removed,
  }
  const isUnchanged = change.add.length + change.remove.length === 0

  function submit(event: FormEvent) {
    event.preventDefault()
    const onSuccess = () => {
      toastSuccess(t('{count, plural, =1 {Tags saved} other {Tags of # recordings saved}}', { count: target.count }))
      onDone()
    }
    tag.mutate({ selection: target.selection, ...change }, { onSuccess })
  }

  return (
    <Form onSubmit={submit}>
      <TagsInput
        label={target.recording ? t('Tags') : t('Add tags')}
        description={t('Enter or a comma ends a tag.')}
        data-autofocus
        data={known}
        value={tags}
        onChange={setTags}
        splitChars={[',', '،', ';']}
        acceptValueOnBlur
        openOnFocus={false}
        error={error}
        clearable={false}
      />
      {!target.recording && known.length > 0 && (
        <MultiSelect
          label={t('Remove tags')}
          data={known.filter((each) => !tags.includes(each))}
          value={removed}
          onChange={setRemoved}
          searchable
        />
      )}
      <DialogActions onCancel={onClose} mt="lg">
        <Button type="submit" loading={tag.isPending} disabled={isUnchanged || error !== undefined}>
          {t('Save')}
        </Button>
      </DialogActions>
    </Form>
  )
}

function findTagError(tags: string[]): string | undefined {
  for (const tag of tags) {
    const result = Tag.safeParse(tag)
    if (!result.success) return result.error.issues[0]?.message
  }
  return undefined
}
