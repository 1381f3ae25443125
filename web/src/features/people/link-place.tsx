import { Alert, Anchor } from '@mantine/core'
import IconMailOff from '@tabler/icons-react/dist/esm/icons/IconMailOff.mjs'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { useServerConfig } from '../../shared/config.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'

/** Says where to find the links of invitations on a server that sends no mail; renders nothing on one that does. */
export function LinkPlace() {
  const config = useServerConfig()
  const isSuper = isSuperAdmin(useUser())
  if (!config || config.is_smtp_configured) return null
  return (
    <Alert color="amber" icon={<IconMailOff size={18} stroke={1.5} />} title={t('This server sends no mail')}>
      {isSuper
        ? rich(
            'The link of each invitation is on the <a>Mail page</a>: copy or print them there, all on one page, and hand them over.',
            { a: linkToOutbox },
          )
        : t(
            'The link of each invitation is on the Mail page, which super admins can open: ask one of them to hand it over.',
          )}
    </Alert>
  )
}

function linkToOutbox(children: ReactNode[]): ReactNode {
  return (
    <Anchor component={Link} to="/super-admin/outbox" inherit underline="always">
      {children}
    </Anchor>
  )
}
