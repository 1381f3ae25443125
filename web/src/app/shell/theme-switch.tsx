import { Menu, useMantineColorScheme } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import { useSettings } from '../../shared/settings.ts'

const choices = [
  { theme: 'light', label: 'Light', icon: IconSun },
  { theme: 'dark', label: 'Dark', icon: IconMoon },
  { theme: 'system', label: 'System', icon: IconDeviceDesktop },
] as const

/** Light, dark, or whatever the machine says: three entries of the account menu. */
export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const { settings, change } = useSettings()
  return choices.map(({ theme, label, icon: Icon }) => (
    <Menu.Item
      key={theme}
      role="menuitemradio"
      aria-checked={settings.theme === theme}
      closeMenuOnClick={false}
      leftSection={<Icon size={18} stroke={1.5} />}
      rightSection={settings.theme === theme && <IconCheck size={16} stroke={1.75} />}
      onClick={() => {
        change({ theme })
        setColorScheme(theme === 'system' ? 'auto' : theme)
      }}
    >
      {label}
    </Menu.Item>
  ))
}
