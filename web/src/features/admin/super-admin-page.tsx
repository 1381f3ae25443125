import { Button } from '@mantine/core'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { ConsolePage } from './console-page.tsx'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { UserPanel } from './user-panel.tsx'

/** The super admin panel (accounts specification, section 2). */
export function SuperAdminPage() {
  const [isCreating, setIsCreating] = useState(false)
  return (
    <ConsolePage
      title={t('Super Admin Panel')}
      access="super_admin"
      actions={
        <Button leftSection={<IconUserPlus size={18} stroke={1.5} />} onClick={() => setIsCreating(true)}>
          {t('Create User')}
        </Button>
      }
    >
      <UserPanel panel="super_admin" />
      <CreateUserDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </ConsolePage>
  )
}
