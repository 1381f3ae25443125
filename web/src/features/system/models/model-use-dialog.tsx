import { Button, Modal, Radio, Select, SimpleGrid, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Model } from '#contract/entities/model.ts'
import { t } from '#contract/texts/t.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import { Form } from '../../../shared/ui/form.tsx'
import { WeakLanguages } from './weak-languages.tsx'
import { useModelCommands, type OperationInput } from './use-models.ts'

interface ModelUseDialogProps {
  model: Model
  isOpen: boolean
  onClose: () => void
}

/** Selects what a model is used for. */
export function ModelUseDialog({ model, isOpen, onClose }: ModelUseDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Use {name}', { name: model.name })}>
      <ModelUseForm model={model} onClose={onClose} />
    </Modal>
  )
}

function ModelUseForm({ model, onClose }: Omit<ModelUseDialogProps, 'isOpen'>) {
  const { start, isBusy } = useModelCommands()
  const [scope, setScope] = useState<string>('some')
  const [source, setSource] = useState(model.languages[0] ?? null)
  const [target, setTarget] = useState(model.languages.find((code) => code !== source) ?? null)
  const isSpeech = model.kind === 'speech'
  const options = model.languages.map((code) => ({ value: code, label: languageName(code) }))

  function toInput(): OperationInput {
    const input = { kind: 'use' as const, model_id: model.id }
    if (scope === 'all' || source === null) return input
    return isSpeech ? { ...input, language: source } : { ...input, pair: `${source}-${target}` }
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (await start(toInput())) onClose()
  }

  return (
    <Form onSubmit={(event) => void submit(event)}>
      <Radio.Group label={isSpeech ? t('It transcribes') : t('It translates')} value={scope} onChange={setScope}>
        <Stack gap="xs" mt="xs">
          <Radio value="some" label={isSpeech ? t('one language') : t('one pair of languages')} />
          <Radio
            value="all"
            label={
              isSpeech
                ? t('every language that no other model is chosen for')
                : t('every pair that no other model is chosen for')
            }
          />
        </Stack>
      </Radio.Group>
      {scope === 'some' && (
        <SimpleGrid cols={isSpeech ? 1 : { base: 1, xs: 2 }}>
          <Select
            label={isSpeech ? t('Language') : t('From')}
            data={options}
            value={source}
            onChange={setSource}
            searchable={options.length > 10}
          />
          {!isSpeech && (
            <Select
              label={t('To')}
              data={options.filter(({ value }) => value !== source)}
              value={target === source ? null : target}
              onChange={setTarget}
              searchable={options.length > 10}
            />
          )}
        </SimpleGrid>
      )}
      <WeakLanguages model={model} />
      <DialogActions onCancel={onClose} mt={20}>
        <Button
          type="submit"
          loading={isBusy}
          disabled={scope === 'some' && !isSpeech && (!target || target === source)}
        >
          {t('Use it')}
        </Button>
      </DialogActions>
    </Form>
  )
}
