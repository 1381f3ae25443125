import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTitle } from '../use-title.ts'
import { Isolated } from './isolated.tsx'
import classes from './page.module.css'

interface PageProps {
  title: string
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  width?: 'narrow' | 'medium' | 'wide'
  children: ReactNode
}

/** A page with its heading; sets the title of the browser tab. */
export function Page({ title, lead, actions, width = 'medium', children }: PageProps) {
  useTitle(title)
  return (
    <div className={`${classes.page} ${classes[width]}`}>
      <header className={classes.head}>
        <div>
          <Title order={1}>
            <Isolated>{title}</Isolated>
          </Title>
          {lead && <Text className={classes.lead}>{lead}</Text>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}
