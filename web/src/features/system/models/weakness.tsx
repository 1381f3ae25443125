import { Text } from '@mantine/core'
import type { Model } from '#contract/entities/model.ts'
import { describeWeakness } from './descriptions.ts'

/** Says for which languages a model is of little use; nothing where none is known. */
export function Weakness({ model }: { model: Model }) {
  const sentence = describeWeakness(model)
  return (
    sentence !== undefined && (
      <Text size="sm" fw={560}>
        {sentence}
      </Text>
    )
  )
}
