import { Select, type SelectProps } from '@mantine/core'
import classes from './toolbar-picker.module.css'

/** A picker in the bar above the lines, with its label inside the frame, so that it is no taller than a button. */
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
      // Otherwise the options of closed lists would be most of what the desk renders when it opens.
      comboboxProps={{ width: 'max-content', position: 'bottom-start', keepMounted: false }}
    />
  )
}
