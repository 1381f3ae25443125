import type { NamedRecording } from '#data/health/named-recordings.ts'

/**
 * A problem needs action now: something does not work, or data is at risk. A warning needs action soon. A note is shown only with
 * `--verbose` and in JSON.
 */
export type Severity = 'problem' | 'warning' | 'note'

/** A finding of `awaz doctor`. Only `recordings` holds names, and no field holds secrets or other content. Ids and paths may appear. */
export interface Finding {
  /** Stable: programs depend on it. */
  code: string
  severity: Severity
  /** In a few words, without its particulars. */
  title: string
  /** What was found, with numbers, paths and ids. */
  what: string
  why: string
  /** The command or action that fixes it. */
  remedy: string
  /** Only the command of `remedy`, with words in capitals to be replaced; missing where there is no command. */
  command?: string
  /** What `--fix` did about it; missing if nothing was done. */
  fixed?: string
  /** The first of the recordings concerned. Terminals show their names; JSON has only their ids. */
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
  /** Replace those of the kind where this case needs others. */
  title?: string
  remedy?: string
  severity?: Severity
  fixed?: string | undefined
  recordings?: NamedRecording[]
}

/** Returns a function that creates the findings of a table. */
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

/** Returns a count with its noun: `1 index`, `2 indexes`. */
export function countOf(count: number, thing: string): string {
  const ending = thing.endsWith('x') ? 'es' : 's'
  return `${count} ${thing}${count === 1 ? '' : ending}`
}
