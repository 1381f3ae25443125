// Runs after the api suite (scripts/test.ts): what the suite's client saw of each endpoint against what the contract declares.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listEndpoints } from '#contract/api.ts'

const folder = join(import.meta.dirname, '..', 'node_modules', '.awaz', 'api-coverage')

/** `endpoint outcome` of every call that the api suite made. */
const seen = new Set(
  readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter(Boolean)
    .map((line) => {
      const { endpoint, outcome }: { endpoint: string; outcome: string } = JSON.parse(line)
      return `${endpoint} ${outcome}`
    }),
)

test.each(listEndpoints())('$name is tested for success and for each error it declares', ({ name, spec }) => {
  const missing = ['success', ...spec.errors].filter((outcome) => !seen.has(`${name} ${outcome}`))
  expect(missing).toEqual([])
})
