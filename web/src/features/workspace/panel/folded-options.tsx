import { Box, Button, Collapse } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useId, type ReactNode } from 'react'
import classes from './folded-options.module.css'

/** Options that few recordings need, collapsed behind a button that names them. */
export function FoldedOptions({ title, children }: { title: string; children: ReactNode }) {
  const [isShown, shown] = useDisclosure(false)
  const id = useId()
  return (
    <div className={classes.options}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconChevronRight size={16} stroke={1.5} className={classes.chevron} aria-hidden />}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={shown.toggle}
      >
        {title}
      </Button>
      <Collapse expanded={isShown} id={id}>
        <Box py="0.25rem 0.5rem">{children}</Box>
      </Collapse>
    </div>
  )
}
