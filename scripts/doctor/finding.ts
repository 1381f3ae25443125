import type { NamedRecording } from '#data/health/named-recordings.ts'

/**
 * A problem needs action now: something does not work, or data is at risk. A warning needs action soon. A note is shown with `--verbose`
 * and in JSON only.
 */
export type Severity = 'problem' | 'warning' | 'note'

/** What `awaz doctor` found. No field but `recordings` holds names; none holds secrets or other content. Ids and paths may appear. */
export interface Finding {
  /** Stable: programs compare it. */
  code: string
  severity: Severity
  /** In a few words, without its particulars. */
  title: string
  /** What is the case, with numbers, paths and ids. */
  what: string
  why: string
  /** The command or action that fixes it. */
  remedy: string
  /** The command of `remedy` by itself, words in capitals to be replaced; missing where no command is known. */
  command?: string
  /** What `--fix` did about it; missing where nothing was done. */
  fixed?: string
  /** The first recordings that it is about. Terminals show their names; in JSON they are ids. */
  recordings?: NamedRecording[]
}

/** What a code means, for the finding and for docs/doctor.md. */
export interface FindingKind {
  severity: Severity
  /** In a few words, without its particulars. */
  title: string
  why: string
  remedy: string
  /** As in Finding. */
  command?: string
}

export type FindingTable = Readonly<Record<string, FindingKind>>

interface Particulars {
  /** In place of those of the kind, where this case needs others. */
  title?: string
  remedy?: string
  severity?: Severity
  fixed?: string | undefined
  recordings?: NamedRecording[]
}

/** Returns the function that makes findings of a table. */
export function findingsOf<const Table extends FindingTable>(table: Table) {
  return (code: keyof Table & string, what: string, { fixed, ...particulars }: Particulars = {}): Finding => {
    const { severity, title, why, remedy, command } = table[code] as FindingKind // one of the table's own keys
    return {
      code,
      severity,
      title,
      what,
      why,
      remedy,
      ...particulars,
      ...(command !== undefined && particulars.remedy === undefined && { command }),
      ...(fixed !== undefined && { fixed }),
    }
  }
}

/** Returns a number of things: `1 index`, `2 indexes`. */
export function countOf(count: number, thing: string): string {
  const ending = thing.endsWith('x') ? 'es' : 's'
  return `${count} ${thing}${count === 1 ? '' : ending}`
}
