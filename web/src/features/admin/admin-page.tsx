import { ConsolePage } from './console-page.tsx'
import { UserPanel } from './user-panel.tsx'

/** The admin panel (accounts specification, section 2). */
export function AdminPage() {
  return (
    <ConsolePage title="Admin Panel">
      <UserPanel panel="admin" />
    </ConsolePage>
  )
}
