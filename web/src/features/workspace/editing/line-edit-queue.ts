import type { LineChange, LineEdit, LineEdits } from '#contract/line-edits.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../../shared/api/api-error.ts'
import { indexesOf, isSameState, mergeChanges, rebase, stateAt } from './line-changes.ts'
import type { EditSaveState, LineConflict } from '../state/line-editing.ts'
import type { UnsentEdits } from './unsent-edits.ts'

/** How long after a temporary failure changes are sent again. */
const retryDelayMs = 10_000

/** Limits retries against a server that keeps refusing lines which no one else changed. */
const maxUnexplainedConflicts = 3

export interface LineEditQueueOptions {
  /** Edits as loaded with the transcription. */
  lineEdits: LineEdits
  /** Sends changes based on the edits of `revision`. Throws ApiError. */
  send: (changes: LineChange[], revision: number) => Promise<LineEdits>
  /** Reloads the edits after a conflict. Throws ApiError. */
  load: () => Promise<LineEdits>
  /** Changes that an earlier page of this tab could not send. */
  unsent: UnsentEdits | null
  /** Stores unsent changes for the next page; null if everything has been sent. */
  keep: (unsent: UnsentEdits | null) => void
}

/**
 * Changes to the lines of one transcription: shown at once, sent one request at a time, each based on the revision of the previous
 * response. Changes that others make in the meantime are merged line by line.
 */
export class LineEditQueue {
  readonly #options: LineEditQueueOptions
  readonly #listeners = new Set<() => void>()
  /** The edits on the server. */
  #stored: LineEdits
  #sending: LineChange[] = []
  #waiting: LineChange[] = []
  #conflicts: LineConflict[] = []
  #failure: string | null = null
  #unexplainedConflicts = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  /** Replaced on each change, so that the same edits are the same object. */
  #shown: LineEdits
  #state: EditSaveState = { status: 'saved' }

  constructor(options: LineEditQueueOptions) {
    this.#options = options
    this.#stored = options.lineEdits
    this.#shown = { ...options.lineEdits, edits: toEdits(options.lineEdits.edits, options.lineEdits.revision) }
    const { unsent } = options
    if (!unsent) return
    this.#rebase(unsent.changes, unsent.before)
    this.#changed()
  }

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the edits to show: the server's, plus all that it does not have yet. */
  getShown = (): LineEdits => this.#shown

  getState = (): EditSaveState => this.#state

  /** Whether closing the page now would lose changes. */
  get hasUnsent(): boolean {
    return this.#unsent().length > 0
  }

  /** Applies changes and sends them. */
  apply(changes: LineChange[]): void {
    const touched = new Set(indexesOf(changes))
    const isTouched = ({ mine }: LineConflict) => indexesOf(mine).some((index) => touched.has(index))
    if (this.#conflicts.some(isTouched)) {
      this.#conflicts = this.#conflicts.map((conflict) =>
        isTouched(conflict) ? { ...conflict, mine: mergeChanges(conflict.mine, changes) } : conflict,
      )
    } else {
      this.#waiting = mergeChanges(this.#waiting, changes)
    }
    this.#failure = null
    this.#changed()
    this.start()
  }

  /** Applies changes to lines that others have changed since they were shown, which is a conflict. */
  applyToOther(changes: LineChange[]): void {
    this.#conflicts = [...this.#conflicts, { mine: changes, theirs: [] }]
    this.#rebase(this.#waiting, this.#stored.edits)
    this.#changed()
  }

  /** Takes over loaded edits; outdated ones are ignored. */
  receive(lineEdits: LineEdits): void {
    if (lineEdits.revision <= this.#stored.revision || this.#sending.length > 0) return
    const before = this.#stored.edits
    this.#stored = lineEdits
    this.#rebase(this.#waiting, before)
    this.#changed()
    this.start()
  }

  /** Resolves a conflict: drops the user's own changes, or reapplies them to the other person's. */
  resolve = (choice: 'mine' | 'theirs', conflict: LineConflict): void => {
    const ended = this.#conflicts.find(({ mine }) => isSameState(mine, conflict.mine))
    if (!ended) return
    this.#conflicts = this.#conflicts.filter((other) => other !== ended)
    if (choice === 'mine') this.#waiting = mergeChanges(this.#waiting, ended.mine)
    this.#changed()
    this.start()
  }

  /** Sends again after a failure. */
  retry(): void {
    this.#failure = null
    this.#changed()
    this.start()
  }

  /** Sends waiting changes, unless a request is in progress. */
  start(): void {
    clearTimeout(this.#retryTimer)
    if (this.#sending.length > 0) return
    const changes = this.#waiting
    if (changes.length === 0) return
    this.#waiting = []
    this.#sending = changes
    this.#changed()
    void this.#send(changes)
  }

  async #send(changes: LineChange[]): Promise<void> {
    const { revision, edits } = this.#stored
    try {
      const answer = await this.#options.send(changes, revision)
      this.#sending = []
      this.#failure = null
      this.#unexplainedConflicts = 0
      this.#stored = answer
      // The server may collapse double spaces, so the waiting changes are rebased from the lines as it stored them.
      this.#rebase(this.#waiting, mergeChanges(edits, stateAt(answer.edits, indexesOf(changes))))
    } catch (error) {
      this.#takeBack()
      if (error instanceof ApiError && error.code === 'conflict') await this.#merge(error)
      else this.#fail(error)
    }
    this.#changed()
    if (this.#failure === null) this.start()
  }

  /** Loads others' changes, and finds the lines in conflict. */
  async #merge(conflict: ApiError): Promise<void> {
    try {
      const loaded = await this.#options.load()
      const before = this.#stored.edits
      this.#stored = loaded
      const found = this.#rebase(this.#waiting, before)
      this.#unexplainedConflicts = found === 0 ? this.#unexplainedConflicts + 1 : 0
      this.#failure = null
    } catch (error) {
      return this.#fail(error)
    }
    if (this.#unexplainedConflicts >= maxUnexplainedConflicts) this.#failure = conflict.message
  }

  #fail(error: unknown): void {
    this.#failure = (error instanceof ApiError ? error.details[0] : undefined) ?? messageOf(error, t('Network error.'))
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500)
      this.#retryTimer = setTimeout(() => this.start(), retryDelayMs)
  }

  #takeBack(): void {
    this.#waiting = mergeChanges(this.#sending, this.#waiting)
    this.#sending = []
  }

  /** Applies changes made to `before` on top of the server's edits. Returns the number of new conflicts. */
  #rebase(changes: LineChange[], before: readonly LineChange[]): number {
    const { edits } = this.#stored
    const open = this.#conflicts
      .map(({ mine }) => ({ mine, theirs: stateAt(edits, indexesOf(mine)) }))
      .filter(({ mine, theirs }) => !isSameState(mine, theirs))
    const { kept, conflicts } = rebase(changes, before, edits)
    this.#waiting = kept
    this.#conflicts = [...open, ...conflicts]
    return conflicts.length
  }

  #unsent(): LineChange[] {
    const own = mergeChanges(this.#sending, this.#waiting)
    return mergeChanges(
      own,
      this.#conflicts.flatMap(({ mine }) => mine),
    )
  }

  #changed(): void {
    const unsent = this.#unsent()
    const { revision, edits } = this.#stored
    const own = unsent.map((change) => ({ ...change, revision: revision + 1 }))
    const shown = toEdits(mergeChanges(edits, own), revision + 1)
    if (!isSameState(shown, this.#shown.edits)) this.#shown = { revision, edits: shown }
    this.#state = this.#describe()
    this.#options.keep(unsent.length === 0 ? null : { before: stateAt(edits, indexesOf(unsent)), changes: unsent })
    for (const listener of this.#listeners) listener()
  }

  #describe(): EditSaveState {
    if (this.#conflicts.length > 0) return { status: 'conflict', conflicts: this.#conflicts }
    if (this.#failure !== null) return { status: 'failed', message: this.#failure }
    return { status: this.hasUnsent ? 'saving' : 'saved' }
  }
}

/** Returns changes in a canonical order, so that equal ones can be recognized. */
function toEdits(changes: (LineChange & { revision?: number })[], revision: number): LineEdit[] {
  return changes
    .map((change) => ({ ...change, revision: change.revision ?? revision }))
    .toSorted((a, b) => (a.from[0] ?? 0) - (b.from[0] ?? 0))
}
