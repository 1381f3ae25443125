import { Button, Modal, Stack, Text } from '@mantine/core'
import type { Body } from '#contract/endpoint.ts'
import type { library } from '#contract/endpoints/library.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { useEmptyTrash } from './use-trash.ts'

/** What is to be deleted for good; `name` where it is one recording. */
export interface DeleteQuestion {
  count: number
  name?: string
  chosen: Body<typeof library.emptyTrash>
}

interface DeleteDialogProps {
  /** Null while the dialog is closed. */
  question: DeleteQuestion | null
  onClose: () => void
}

/** Asks before recordings are deleted for good. */
export function DeleteDialog({ question, onClose }: DeleteDialogProps) {
  const empty = useEmptyTrash()
  const { count = 0, name } = question ?? {}
  return (
    <Modal opened={question !== null} onClose={onClose} title={t('Delete for good')}>
      <Stack gap={20}>
        <Text>
          {name === undefined
            ? t(
                '{count, plural, one {# recording} other {# recordings}} will be deleted with all audio, transcripts and translations.',
                {
                  count,
                },
              )
            : t('{name} will be deleted with its audio, transcript and translations.', {
                name: isolateName(name),
              })}{' '}
          {t('This action cannot be undone!')}
        </Text>
        <DialogActions onCancel={onClose} isCancelFocused>
          <Button
            color="red"
            loading={empty.isPending}
            onClick={() => question && empty.mutate(question.chosen, { onSettled: onClose })}
          >
            {t('Delete for good')}
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  )
}
