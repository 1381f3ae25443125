import { Switch, Text } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './preferences.module.css'

interface SettingRowProps {
  label: string
  /** Id of the label, for the control's `aria-labelledby`. */
  id: string
  help?: string | undefined
  /** Shown below the help: what keeps the setting from taking effect. */
  notice?: ReactNode
  children: ReactNode
  /** Whether the control stands below the label on a phone. */
  isStacked?: boolean
}

/** A setting: its name, what it does, and its control. */
export function SettingRow({ label, id, help, notice, children, isStacked }: SettingRowProps) {
  return (
    <div className={classes.row} data-stacked={isStacked || undefined}>
      <div>
        <Text id={id} fw={560}>
          {label}
        </Text>
        {help && (
          <Text size="sm" c="dimmed" id={`${id}-help`}>
            {help}
          </Text>
        )}
        {notice}
      </div>
      <div className={classes.control}>{children}</div>
    </div>
  )
}

interface SettingSwitchProps extends Pick<SettingRowProps, 'label' | 'help' | 'notice'> {
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** A setting that is on or off. */
export function SettingSwitch({ label, help, notice, isOn, onChange }: SettingSwitchProps) {
  const id = useId()
  return (
    <SettingRow label={label} id={id} help={help} notice={notice}>
      <Switch
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        aria-labelledby={id}
        {...(help && { 'aria-describedby': `${id}-help` })}
      />
    </SettingRow>
  )
}
