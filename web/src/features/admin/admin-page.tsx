import { t } from '#contract/texts/t.ts'
import { ConsolePage } from './console-page.tsx'
import { UserPanel } from './user-panel.tsx'

/** The admin panel (accounts specification, section 2). */
export function AdminPage() {
  return (
    <ConsolePage title={t('Admin Panel')}>
      <UserPanel panel="admin" />
    </ConsolePage>
  )
}
