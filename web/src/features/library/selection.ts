import type { LibraryFilter, LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'

/** Selected recordings: those in `ids` or, if `isAll`, all that match the filter except those. */
export interface Selection {
  isAll: boolean
  ids: ReadonlySet<string>
}

export const nothingSelected: Selection = { isAll: false, ids: new Set() }
export const everythingSelected: Selection = { isAll: true, ids: new Set() }

export function isSelected({ isAll, ids }: Selection, id: string): boolean {
  return ids.has(id) !== isAll
}

/** Returns the number of selected recordings among the `total` that match the filter. */
export function countSelected({ isAll, ids }: Selection, total: number): number {
  return isAll ? Math.max(0, total - ids.size) : ids.size
}

/** Returns a selection with some recordings added or removed. */
export function withSelected({ isAll, ids }: Selection, changed: readonly string[], isOn: boolean): Selection {
  const next = new Set(ids)
  for (const id of changed) {
    if (isOn === isAll) next.delete(id)
    else next.add(id)
  }
  return { isAll, ids: next }
}

export function toggleSelected(selection: Selection, id: string): Selection {
  return withSelected(selection, [id], !isSelected(selection, id))
}

/** Returns a selection in the form the server takes. */
export function toLibrarySelection({ isAll, ids }: Selection, filter: LibraryFilter): LibrarySelection {
  return isAll ? { filter, except: [...ids] } : { ids: [...ids] }
}

/** Says how much is selected. */
export function describeSelection(selection: Selection, total: number): string {
  const count = countSelected(selection, total)
  return count === total && count > 1
    ? t('All {count, plural, one {# recording} other {# recordings}} selected', { count })
    : t('{count, plural, one {# recording} other {# recordings}} selected', { count })
}
