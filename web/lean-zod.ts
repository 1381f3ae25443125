import type { Plugin } from 'vite'

const jsonSchemaModules = /zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/
const englishMessages = /zod\/v4\/locales\/en\.js$/

/**
 * Leaves out of zod what the web app never calls but no bundler can drop, because every schema refers to it: the JSON Schema generator
 * (5 kB of the first page), and zod's own messages (1.3 kB), which main.tsx replaces by those of server/contract/input-errors.ts.
 */
export function leanZod(): Plugin {
  return {
    name: 'lean-zod',
    apply: 'build',
    transform(code, id) {
      if (englishMessages.test(id)) return { code: 'export default () => ({})', map: null }
      if (!jsonSchemaModules.test(id)) return undefined
      const declared = code.matchAll(/^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gmu)
      const names = [...declared].map(([, name, renamed]) => name ?? renamed)
      const unavailable = "() => { throw new Error('The web app has no JSON Schema') }"
      // zod calls these for each schema; each returns a method that nothing calls.
      const exported = names.map((name) => `export const ${name} = () => ${unavailable}`)
      return { code: exported.join('\n'), map: null }
    },
  }
}
