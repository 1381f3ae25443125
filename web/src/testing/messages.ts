import table from '../../../docs/messages-web.md?raw'

/** Texts by situation, as the table in docs/messages-web.md has them. Throws for a situation it lacks. */
export function messageOf(situation: string): string {
  const text = messages.get(situation)
  if (text === undefined) throw new Error(`docs/messages-web.md has no situation ${situation}`)
  seen.add(situation)
  return text
}

const messages = new Map(
  [...table.matchAll(/^\| ([a-z\d-]+) +\| (.+?) +\|$/gm)].map(([, situation = '', text = '']) => [situation, text]),
)
const seen = new Set<string>()

/** Situations of the table that begin so and were not asked for. */
export function unseenMessages(prefix: string): string[] {
  return [...messages.keys()].filter((situation) => situation.startsWith(prefix) && !seen.has(situation))
}
