import type { Plugin } from 'vite'

const jsonSchemaModules = /zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/

/**
 * Leaves out what zod writes JSON Schema with: every schema refers to it, so that no bundler can tell that the web app never calls it. It would be
 * 5 kB of the first page.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!jsonSchemaModules.test(id)) return undefined
      const declared = code.matchAll(/^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gmu)
      const names = [...declared].map(([, name, renamed]) => name ?? renamed)
      const unavailable = "() => { throw new Error('The web app has no JSON Schema') }"
      // What is called for each schema returns the method that nothing calls.
      const exported = names.map((name) => `export const ${name} = () => ${unavailable}`)
      return { code: exported.join('\n'), map: null }
    },
  }
}
