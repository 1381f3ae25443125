import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './page.module.css'

interface PanelProps {
  title: string
  icon?: ReactNode
  /** Shown beside the title: a badge or a short fact. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Whether the body has its own padding. */
  isFlush?: boolean
  /** Whether the panel takes the height of its parent, so that a list in it scrolls. */
  isFilling?: boolean
}

/** A titled region of a page. */
export function Panel({ title, icon, note, actions, children, isFlush = false, isFilling = false }: PanelProps) {
  const id = useId()
  return (
    <section className={classes.panel} data-filling={isFilling || undefined} aria-labelledby={id}>
      <header className={classes.panelHead}>
        <div className={classes.panelTitle}>
          {icon}
          <Title order={2} id={id}>
            {title}
          </Title>
          {note}
        </div>
        {actions}
      </header>
      {isFlush ? children : <div className={classes.panelBody}>{children}</div>}
    </section>
  )
}
