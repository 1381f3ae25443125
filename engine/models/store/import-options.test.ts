import { expect, test } from 'vitest'
import { assertModelId, toModelId } from './import-options.ts'

test.each([
  ['Our Pashto v2.bin', 'our-pashto-v2'],
  ['model.tar.bz2', 'model'],
  ['.hidden.gguf', 'hidden'],
  ['پښتو.bin', 'model'],
  ['choices.json', 'choices.json-model'],
  ['Registry.JSON.zip', 'registry.json-model'],
  ['catalog.local.json', 'catalog.local.json-model'],
  ['measured.json.tar.gz', 'measured.json-model'],
  ['evaluations.json', 'evaluations.json-model'],
  ['default.gguf', 'default-model'],
  ['ours.bin.partial', 'ours.bin.partial-model'],
  ['ours.lock', 'ours.lock-model'],
])('%s is imported as %s', (fileName, id) => {
  expect(toModelId(fileName)).toBe(id)
  expect(() => assertModelId(id)).not.toThrow()
})

test.each(['choices.json', 'registry.json', 'default', 'ours.partial'])('the id %s is refused', (id) => {
  expect(() => assertModelId(id)).toThrow(`"${id}" cannot be the id of a model`)
})
