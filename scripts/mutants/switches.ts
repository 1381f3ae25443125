// Puts many changes into one source, of which one at a time is switched on while tests run: nothing has to be loaded again for the next.
import { mutate, type MutationPoint } from './mutation-points.ts'

/** The object that shows changed code which change is on. switching-runner.ts puts it where every module sees it. */
export const switchName = '__awazMutants'

export interface NumberedPoint extends MutationPoint {
  id: number
}

type Body = NonNullable<MutationPoint['body']>

const isOn = (id: number) => `globalThis.${switchName}.isOn(${id})`

/** Returns a body in which each of its points is a branch, and the rest of it as `original` has it. */
function branches(source: string, body: Body, points: NumberedPoint[], original: string): string {
  const changed = points.map((point) => {
    const text = mutate(source, point).slice(body.start, body.end + point.text.length - (point.end - point.start))
    return body.isBlock ? `if (${isOn(point.id)}) ${text} else ` : `${isOn(point.id)} ? (${text}) : `
  })
  return body.isBlock ? `{ ${changed.join('')}${original} }` : `(${changed.join('')}(${original}))`
}

/** Returns the source with a switch at the beginning of each function that holds points. Points outside of functions are left out. */
export function addSwitches(source: string, points: NumberedPoint[]): string {
  const byBody = Map.groupBy(
    points.filter(({ body }) => body),
    ({ body }) => `${body?.start}-${body?.end}`,
  )
  const groups = [...byBody.values()].flatMap((group) => {
    const body = group[0]?.body
    return body ? [{ body, group }] : []
  })
  const insertInto = (start: number, end: number): string => {
    let result = ''
    let at = start
    // The outermost bodies inside of this piece, from the left.
    for (const { body, group } of groups.toSorted((a, b) => a.body.start - b.body.start || b.body.end - a.body.end)) {
      const isThisPiece = body.start === start && body.end === end
      if (isThisPiece || body.start < at || body.end > end) continue
      result += source.slice(at, body.start) + branches(source, body, group, insertInto(body.start, body.end))
      at = body.end
    }
    return result + source.slice(at, end)
  }
  return insertInto(0, source.length)
}
