import { useLayoutEffect, useRef, useState } from 'react'
import type { LibraryRecording, LibrarySelection } from '#contract/library.ts'
import type { OpenedMenu, RowActions } from './library-context.ts'
import { countSelected, toLibrarySelection } from './selection.ts'
import { useActiveRow } from './use-active-row.ts'
import { useRemoveRecordings } from './use-library-actions.ts'
import { pageOf, useLibraryRows } from './use-library-rows.ts'
import { useLibraryView } from './use-library-view.ts'
import { useSelection } from './use-selection.ts'

/** Deleting more than this asks first, since some of them may be out of sight. */
const maxWithoutAsking = 10

interface RemoveRequest {
  selection: LibrarySelection
  count: number
}

interface TagTarget extends RemoveRequest {
  recording?: LibraryRecording
}

/** Returns the library as described by the address, and the actions on its recordings. */
export function useLibrary() {
  const view = useLibraryView()
  const [span, setSpan] = useState({ first: pageOf(view.row), last: pageOf(view.row) })
  const rows = useLibraryRows(view.query, span)
  const selection = useSelection({ filterKey: JSON.stringify(view.filter), loadIds: rows.loadIds })
  const active = useActiveRow(rows)
  const removal = useRemoveRecordings()
  const [renamedId, setRenamedId] = useState<string | null>(null)
  const [menu, setMenu] = useState<OpenedMenu | null>(null)
  const [tagged, setTagged] = useState<TagTarget | null>(null)
  const [heldRecording, setHeldRecording] = useState<LibraryRecording | null>(null)
  const [shownActivity, setShownActivity] = useState<LibraryRecording | null>(null)
  const [askedToRemove, setAskedToRemove] = useState<RemoveRequest | null>(null)
  const selectedCount = countSelected(selection.selection, rows.total)
  const selected = toLibrarySelection(selection.selection, view.filter)

  function removeNow(request: RemoveRequest) {
    removal.mutate(request.selection, { onSuccess: () => selection.clear() })
  }

  function remove(removed: LibrarySelection, count: number) {
    if (count > maxWithoutAsking) setAskedToRemove({ selection: removed, count })
    else removeNow({ selection: removed, count })
  }

  function removeAt(index: number) {
    const recording = rows.rowAt(index)
    if (!recording) return
    if (selection.isSelected(recording.id)) remove(selected, selectedCount)
    else remove({ ids: [recording.id] }, 1)
  }

  const rowActions = useStableActions({
    startRename: setRenamedId,
    endRename: () => setRenamedId(null),
    editTags: (recording) => setTagged({ selection: { ids: [recording.id] }, count: 1, recording }),
    showHold: setHeldRecording,
    showActivity: setShownActivity,
    remove: ({ id }) => remove({ ids: [id] }, 1),
    openMenu: setMenu,
  })

  return {
    view,
    rows,
    selection,
    selected,
    selectedCount,
    active,
    renamedId,
    rowActions,
    menu,
    setSpan,
    remove,
    removeAt,
    renameAt: (index: number) => setRenamedId(rows.rowAt(index)?.id ?? null),
    tagged,
    editTags: setTagged,
    closeTags: () => setTagged(null),
    heldRecording,
    closeHold: () => setHeldRecording(null),
    shownActivity,
    closeActivity: () => setShownActivity(null),
    askedToRemove,
    cancelRemove: () => setAskedToRemove(null),
    confirmRemove() {
      if (askedToRemove) removeNow(askedToRemove)
      setAskedToRemove(null)
    },
  }
}

export type Library = ReturnType<typeof useLibrary>

/** Returns the same object each time, so that rows are rendered only when they change. */
function useStableActions(current: RowActions): RowActions {
  const latest = useRef(current)
  useLayoutEffect(() => {
    latest.current = current
  })
  const [stable] = useState<RowActions>(() => ({
    startRename: (id) => latest.current.startRename(id),
    endRename: () => latest.current.endRename(),
    editTags: (recording) => latest.current.editTags(recording),
    showHold: (recording) => latest.current.showHold(recording),
    showActivity: (recording) => latest.current.showActivity(recording),
    remove: (recording) => latest.current.remove(recording),
    openMenu: (menu) => latest.current.openMenu(menu),
  }))
  return stable
}
