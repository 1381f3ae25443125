import { Panel } from '../../../shared/ui/panel.tsx'
import { useDesk } from '../desk/desk-context.ts'

/** The keywords found in transcript and translation (audio-workflow specification, section 2). */
export function HitsPanel() {
  const { hits } = useDesk()
  return <Panel title="Intelligence Analysis">{hits.length}</Panel>
}
