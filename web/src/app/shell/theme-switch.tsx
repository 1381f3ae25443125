import { Menu } from '@mantine/core'
import { themeChoices, useTheme } from '../../shared/use-theme.ts'

/** Light, dark, or the setting of the system: three entries of the account menu. */
export function ThemeSwitch() {
  const { theme, choose } = useTheme()
  return (
    <Menu.RadioGroup value={theme} onChange={choose}>
      {themeChoices.map(({ value, label }) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
