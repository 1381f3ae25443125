// Puts many changes into one source and lets tests switch on one at a time: nothing has to be reloaded for the next one.
import { mutate, type MutationPoint } from './mutation-points.ts'

/** The name of the object that tells changed code which change is on. switching-runner.ts makes it global for every module. */
export const switchName = '__awazMutants'

export interface NumberedPoint extends MutationPoint {
  id: number
}

type Body = NonNullable<MutationPoint['body']>

const isOn = (id: number) => `globalThis.${switchName}.isOn(${id})`

/** Returns a body in which each point is a branch and the last branch is `original`. */
function branches(source: string, body: Body, points: NumberedPoint[], original: string): string {
  const changed = points.map((point) => {
    const text = mutate(source, point).slice(body.start, body.end + point.text.length - (point.end - point.start))
    return body.isBlock ? `if (${isOn(point.id)}) ${text} else ` : `${isOn(point.id)} ? (${text}) : `
  })
  return body.isBlock ? `{ ${changed.join('')}${original} }` : `(${changed.join('')}(${original}))`
}

/** Returns the source with a switch at the beginning of each function that contains points. Points outside functions are left out. */
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
    // The outermost bodies inside this piece, from left to right.
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
