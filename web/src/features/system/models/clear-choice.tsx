import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { Model, ModelUse } from '#contract/entities/model.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useModelActs } from './use-models.ts'
import { describeUse } from './words.ts'

/** Takes a choice for a language or a pair back, where a person made it: what serves all others serves it again. */
export function ClearChoice({ model, use }: { model: Model; use: ModelUse }) {
  const { start, isBusy } = useModelActs()
  const { code, scope } = use
  if (use.chosen_by !== 'person' || scope === 'default' || code === null) return null
  const wish = { kind: 'clear' as const, model_id: model.id }
  return (
    <IconButton
      label={`Stop using ${model.name} for ${describeUse(use, model.kind)}`}
      variant="subtle"
      color="gray"
      size="sm"
      loading={isBusy}
      onClick={() => void start(scope === 'language' ? { ...wish, language: code } : { ...wish, pair: code })}
    >
      <IconX size={14} stroke={1.75} />
    </IconButton>
  )
}
