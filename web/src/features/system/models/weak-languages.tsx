import { Text } from '@mantine/core'
import type { Model } from '#contract/entities/model.ts'
import { describeWeakLanguages } from './descriptions.ts'

/** Says for which languages a model is of little use; renders nothing if none are known. */
export function WeakLanguages({ model }: { model: Model }) {
  const sentence = describeWeakLanguages(model)
  return (
    sentence !== undefined && (
      <Text size="sm" fw={560}>
        {sentence}
      </Text>
    )
  )
}
