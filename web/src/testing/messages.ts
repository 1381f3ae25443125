import table from '../../../docs/messages-web.md?raw'

/** How situations begin; the message test of each part brings all of its situations about. */
type Part =
  | 'signin-'
  | 'signup-'
  | 'forgot-'
  | 'resend-'
  | 'setup-'
  | 'copy-'
  | 'enable-'
  | 'disable-'
  | 'password-'
  | 'profile-'
  | 'admin-'
  | 'sign-out-'
  | 'session-'
  | 'call-'

/** Texts by situation, as the table in docs/messages-web.md has them, `N` replaced by `count`. Throws for one it lacks. */
export function messageOf(situation: `${Part}${string}`, count?: number): string {
  const text = messages.get(situation)
  if (text === undefined) throw new Error(`docs/messages-web.md has no situation ${situation}`)
  seen.add(situation)
  return count === undefined ? text : text.replace(/\bN\b/, String(count))
}

const messages = new Map(
  [...table.matchAll(/^\| ([a-z\d-]+) +\| (.+?) +\| \S+ +\|$/gm)].map(([, situation = '', text = '']) => [
    situation,
    text,
  ]),
)
const seen = new Set<string>()

/** Situations of the table that begin so and were not asked for in this file. Throws where none begins so. */
export function unseenMessages(part: Part): string[] {
  const all = [...messages.keys()].filter((situation) => situation.startsWith(part))
  if (all.length === 0) throw new Error(`docs/messages-web.md has no situation ${part}*`)
  return all.filter((situation) => !seen.has(situation))
}
