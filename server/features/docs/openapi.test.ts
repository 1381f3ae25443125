import { expect, test } from 'vitest'
import { z } from 'zod'
import { buildOpenApi } from './openapi.ts'

const Parameters = z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() }))

/** Returns the names of the required and of the optional parameters of a call. */
function parametersOf(path: string, method: string) {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(buildOpenApi('https://awaz.example.org'))
  const { parameters } = z.object({ parameters: Parameters }).parse(paths[path]?.[method])
  const namesOf = (isRequired: boolean) =>
    parameters.flatMap(({ name, required, in: place }) => (required === isRequired ? [`${place} ${name}`] : []))
  return { required: namesOf(true), optional: namesOf(false) }
}

test('a call must have what its path names, and what its query cannot do without', () => {
  expect(parametersOf('/api/recordings/{id}', 'get').required).toEqual(['path id'])
  const search = parametersOf('/api/search', 'get')
  expect(search.required).toEqual(['query q'])
  expect(search.optional).toContain('query cursor')
})
