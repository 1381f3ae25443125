import { Select, type SelectProps } from '@mantine/core'
import classes from './toolbar-picker.module.css'

/** A picker of the bar above the lines, with its label inside the frame: no higher than a button with room around it. */
export function ToolbarPicker(props: Omit<SelectProps, 'classNames' | 'size'>) {
  return (
    <Select
      size="xs"
      classNames={{
        root: classes.root ?? '',
        label: classes.label ?? '',
        input: classes.input ?? '',
        section: classes.section ?? '',
      }}
      {...props}
      // The options of a closed list would be most of what the desk renders when it opens.
      comboboxProps={{ width: 'max-content', position: 'bottom-start', keepMounted: false }}
    />
  )
}
