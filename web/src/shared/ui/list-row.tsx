import { Group, type GroupProps } from '@mantine/core'
import common from './common.module.css'

/** A row of a list: the item, and at the end its actions. */
export function ListRow(props: GroupProps) {
  return (
    <Group
      component="li"
      gap="0.5rem 1rem"
      justify="space-between"
      py={14}
      px={20}
      className={common.lineBetween}
      {...props}
    />
  )
}
