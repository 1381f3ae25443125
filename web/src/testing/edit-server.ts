import type { LineChange, LineEdits } from '#contract/line-edits.ts'
import { mergeChanges } from '../features/workspace/editing/line-changes.ts'
import { ApiError, networkError } from '../shared/api/api-error.ts'

/** A server that stores edits as the product does: it refuses changes to lines that were changed after `revision`. */
export class EditServer {
  edits: LineEdits = { revision: 0, edits: [] }
  readonly requests: { changes: LineChange[]; revision: number }[] = []
  /** The error that the next request fails with. */
  failure: Error | null = null
  /** Whether the next request is stored but its response is lost. */
  isAnswerLost = false
  /** Requests are answered once this resolves. */
  gate = Promise.resolve()

  /** Changes lines as another tab or person does. */
  change(...changes: LineChange[]): LineEdits {
    const revision = this.edits.revision + 1
    const own = changes.map((change) => ({ ...change, revision }))
    const edits = mergeChanges(this.edits.edits, own).map((change) => ({ revision, ...change }))
    this.edits = { revision, edits }
    return this.edits
  }

  send = async (changes: LineChange[], revision: number): Promise<LineEdits> => {
    this.requests.push({ changes, revision })
    await this.gate
    const { failure } = this
    this.failure = null
    if (failure) throw failure
    const isTouched = ({ from }: LineChange) =>
      changes.some((change) => change.from.some((index) => from.includes(index)))
    if (this.edits.edits.some((edit) => edit.revision > revision && isTouched(edit)))
      throw new ApiError('These lines were changed meanwhile', { status: 409, code: 'conflict' })
    const answer = this.change(...changes)
    if (!this.isAnswerLost) return answer
    this.isAnswerLost = false
    throw networkError()
  }
}
