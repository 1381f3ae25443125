/** Whether changes are saved, undo and redo, and conflicts. */
export function EditNotices() {
  return null
}
