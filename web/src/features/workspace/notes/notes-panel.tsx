import { Panel } from '../../../shared/ui/panel.tsx'
import { useDesk } from '../desk/desk-context.ts'

/** The notes and bookmarks of the recording on screen. */
export function NotesPanel() {
  const { notes } = useDesk()
  return <Panel title="Notes">{notes.length}</Panel>
}
