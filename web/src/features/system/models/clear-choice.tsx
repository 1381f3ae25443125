import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { Model, ModelUse } from '#contract/entities/model.ts'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useModelCommands } from './use-models.ts'
import { describeUse } from './descriptions.ts'

/** Removes the choice of a model for a language or pair, which the default model then serves again. */
export function ClearChoiceButton({ model, use }: { model: Model; use: ModelUse }) {
  const { start, isBusy } = useModelCommands()
  const { code, scope } = use
  if (use.chosen_by !== 'person' || scope === 'default' || code === null) return null
  const input = { kind: 'clear' as const, model_id: model.id }
  return (
    <IconButton
      label={t('Stop using {name} for {use}', { name: model.name, use: describeUse(use, model.kind) })}
      variant="subtle"
      color="gray"
      size="sm"
      loading={isBusy}
      onClick={() => void start(scope === 'language' ? { ...input, language: code } : { ...input, pair: code })}
    >
      <IconX size={14} stroke={1.75} />
    </IconButton>
  )
}
