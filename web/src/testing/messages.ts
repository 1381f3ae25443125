import table from '../../../docs/messages-web.md?raw'

/** Prefixes of situations; the message test of each part produces all of its situations. */
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

/** Returns the text for a situation from the table in docs/messages-web.md, `N` replaced by `count`. Throws if the table lacks it. */
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

/** Returns the situations in the table with this prefix that the test file never asked for. Throws if none has the prefix. */
export function unseenMessages(part: Part): string[] {
  const all = [...messages.keys()].filter((situation) => situation.startsWith(part))
  if (all.length === 0) throw new Error(`docs/messages-web.md has no situation ${part}*`)
  return all.filter((situation) => !seen.has(situation))
}
