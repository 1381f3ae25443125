import { Alert, Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { Model } from '#contract/entities/model.ts'
import { t } from '#contract/texts/t.ts'
import { formatList } from '../../../shared/format.ts'
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx'
import { ModelUseDialog } from './model-use-dialog.tsx'
import { useModelCommands } from './use-models.ts'
import { describeUse } from './descriptions.ts'

/** The actions of an installed model. */
export function ModelActions({ model }: { model: Model }) {
  const { start, isBusy } = useModelCommands()
  const [openDialog, setOpenDialog] = useState<'use' | 'remove'>()
  const close = () => setOpenDialog(undefined)
  const { id: model_id, name } = model
  return (
    <>
      <Button
        variant="light"
        size="xs"
        disabled={model.problem !== null}
        aria-label={t('Use {name}', { name })}
        onClick={() => setOpenDialog('use')}
      >
        {t('Use')}
      </Button>
      <Button
        variant="default"
        size="xs"
        loading={isBusy}
        aria-label={t('Try {name}', { name })}
        onClick={() => void start({ kind: 'verify', model_id })}
      >
        {t('Try')}
      </Button>
      {!model.is_demo && (
        <Button
          variant="subtle"
          color="red"
          size="xs"
          aria-label={t('Remove {name}', { name })}
          onClick={() => setOpenDialog('remove')}
        >
          {t('Remove')}
        </Button>
      )}
      <ModelUseDialog model={model} isOpen={openDialog === 'use'} onClose={close} />
      <RemoveDialog model={model} isOpen={openDialog === 'remove'} onClose={close} />
    </>
  )
}

/** Asks for confirmation; a model that serves something cannot be removed. */
function RemoveDialog({ model, isOpen, onClose }: { model: Model; isOpen: boolean; onClose: () => void }) {
  const { start, isBusy } = useModelCommands()
  const uses = model.uses.map((use) => describeUse(use, model.kind))

  async function remove() {
    if (await start({ kind: 'remove', model_id: model.id })) onClose()
  }

  return (
    <ConfirmDialog
      title={t('Remove {name}?', { name: model.name })}
      confirmLabel={t('Remove')}
      isOpen={isOpen}
      isBusy={isBusy}
      canConfirm={uses.length === 0}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {uses.length > 0 ? (
        <Alert color="amber" title={t('It is in use')}>
          {t('{name} serves {uses}. Choose another model for that first.', {
            name: model.name,
            uses: formatList(uses),
          })}
        </Alert>
      ) : (
        <Text>
          {model.url
            ? t('Its files are deleted. What it transcribed or translated stays, and it can be downloaded again.')
            : t(
                'Its files are deleted. What it transcribed or translated stays. Keep a copy of the files where you may need it again.',
              )}
        </Text>
      )}
    </ConfirmDialog>
  )
}
