import { z } from 'zod'
import { LibraryFilter, LibraryOrder } from '#contract/library.ts'

/** Which part of the library is shown. */
interface LibraryView {
  filter: LibraryFilter
  order: LibraryOrder
  /** The first row in view. */
  row: number
}

export const noFilter = LibraryFilter.parse({})
export const defaultOrder = LibraryOrder.parse({})

const Row = z.object({ row: z.coerce.number().int().min(0).default(0) })

/** Returns the view that an address describes. Invalid parameters are ignored. */
export function readView(params: URLSearchParams): LibraryView {
  const raw = Object.fromEntries(params)
  return {
    filter: parseLenient(LibraryFilter, raw),
    order: parseLenient(LibraryOrder, raw),
    row: parseLenient(Row, raw).row,
  }
}

/** Returns the address of a view, leaving out defaults. */
export function writeView({ filter, order, row }: LibraryView): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text) params.set(name, text)
  }
  if (order.sort !== defaultOrder.sort || order.order !== defaultOrder.order) {
    params.set('sort', order.sort)
    params.set('order', order.order)
  }
  if (row > 0) params.set('row', String(row))
  return params
}

/** Whether a filter shows every recording. */
export function isUnfiltered(filter: LibraryFilter): boolean {
  return writeView({ filter, order: defaultOrder, row: 0 }).size === 0
}

/** Whether a view shows every recording, the newest first. */
export function isRecentFirst({ filter, order }: Omit<LibraryView, 'row'>): boolean {
  return writeView({ filter, order, row: 0 }).size === 0
}

function parseLenient<Schema extends z.ZodType>(schema: Schema, raw: Record<string, string>): z.output<Schema> {
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const wrong = new Set(result.error.issues.map(({ path }) => path[0]))
  return schema.parse(Object.fromEntries(Object.entries(raw).filter(([name]) => !wrong.has(name))))
}
