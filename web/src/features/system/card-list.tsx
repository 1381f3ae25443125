import { SimpleGrid, Stack, type StackProps } from '@mantine/core'
import type { ReactNode } from 'react'
import common from '../../shared/ui/common.module.css'

/** Engines, servers or models side by side, as far as there is room. */
export function CardList({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid component="ul" minColWidth="min(25rem, 100%)">
      {children}
    </SimpleGrid>
  )
}

/** A framed item of the list. */
export function ListedCard(props: StackProps) {
  return (
    <Stack component="li" gap={14} miw={0} py="md" px={20} className={`${common.surface} ${common.wrap}`} {...props} />
  )
}
