import { useCallback, useMemo } from 'react'
import type { LibraryFilter, LibraryOrder } from '#contract/library.ts'
import { useOwnSearchParams } from '../../shared/use-own-search-params.ts'
import { readView, writeView } from './library-address.ts'

/** Reads the library view from the URL and updates it, so that Back returns to the previous filter, order and row. */
export function useLibraryView() {
  const [params, setParams] = useOwnSearchParams()
  const address = params.toString()
  const { filter, order, row } = useMemo(() => readView(new URLSearchParams(address)), [address])
  // Keeps the same object while the same recordings are shown, so that scrolling the list triggers no request.
  const query = useStable(useMemo(() => ({ ...filter, ...order }), [filter, order]))

  return {
    filter,
    order,
    row,
    query,
    /** `isReplacing` while a text is typed, so that Back does not step through its letters. */
    setFilter(changed: LibraryFilter, { isReplacing = false } = {}) {
      setParams(writeView({ filter: changed, order, row: 0 }), { replace: isReplacing })
    },
    setOrder: (changed: LibraryOrder) => setParams(writeView({ filter, order: changed, row: 0 })),
    show: (shown: { filter: LibraryFilter; order: LibraryOrder }) => setParams(writeView({ ...shown, row: 0 })),
    setRow: useCallback(
      (first: number) => {
        setParams((before) => writeView({ ...readView(before), row: first }), { replace: true })
      },
      [setParams],
    ),
  }
}

export type LibraryViewState = ReturnType<typeof useLibraryView>
export type LibraryListQuery = LibraryFilter & LibraryOrder

function useStable<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  // oxlint-disable-next-line react/exhaustive-deps -- the text says all of the value
  return useMemo(() => value, [text])
}
