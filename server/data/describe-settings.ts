import { settings } from './settings.ts'

/** Returns the text of `.env.example`: every variable, commented out, with its default. */
export function describeSettings(): string {
  const blocks = Object.entries(settings).map(([name, { schema, help }]) => {
    const fallback = schema.safeParse(undefined)
    const shown = fallback.success && fallback.data !== undefined ? String(fallback.data) : ''
    return `# ${help}\n#${name}=${shown}\n`
  })
  const head = [
    '# Every setting of Awaz with its default. Copy what you change to a file named .env beside package.json, which every process and',
    '# command reads, or set it in the environment, which wins. NAME_FILE reads the value of NAME from a file.\n',
  ]
  return [head.join('\n'), ...blocks].join('\n')
}
