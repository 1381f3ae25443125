import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

/** A tag for `rich`: links to the page that says whom to ask. */
export function linkToSupport(children: ReactNode[]): ReactNode {
  return (
    <Anchor component={Link} to="/support" size="sm" underline="always">
      {children}
    </Anchor>
  )
}
