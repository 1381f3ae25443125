import { Menu, useMantineColorScheme } from '@mantine/core'
import { useSettings } from '../../shared/settings.ts'

const choices = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
]

/** Light, dark, or the setting of the system: three entries of the account menu. */
export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const { settings, change } = useSettings()
  function choose(value: string) {
    const theme = value === 'light' || value === 'dark' ? value : 'system'
    change({ theme })
    setColorScheme(theme === 'system' ? 'auto' : theme)
  }
  return (
    <Menu.RadioGroup value={settings.theme} onChange={choose}>
      {choices.map(({ value, label }) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
