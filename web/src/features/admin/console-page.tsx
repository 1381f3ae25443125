import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { isAdmin, isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { AccessDenied } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { ConfirmationDialog } from './confirmation-dialog.tsx'
import { ConsoleNav } from './console-nav.tsx'
import classes from './console.module.css'

interface ConsolePageProps {
  title: string
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Who may open the page; others see Access Denied (accounts specification, section 6), and `children` are not rendered. Default: admins. */
  access?: 'admin' | 'super_admin'
  children: ReactNode
}

/** An administration page, with the navigation beside it. */
export function ConsolePage({ access = 'admin', ...rest }: ConsolePageProps) {
  const user = useUser()
  const isAllowed = access === 'super_admin' ? isSuperAdmin(user) : isAdmin(user)
  if (!isAllowed) {
    return (
      <AccessDenied>
        {access === 'super_admin'
          ? t('You need super admin privileges to access this page.')
          : t('You need admin privileges to access this page.')}
      </AccessDenied>
    )
  }
  return (
    <div className={classes.console}>
      <ConsoleNav />
      <Box miw={0}>
        <Page width="wide" {...rest} />
      </Box>
      <ConfirmationDialog />
    </div>
  )
}
