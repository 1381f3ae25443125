import { useMantineColorScheme } from '@mantine/core'
import { useSettings } from './settings.ts'

export const themeChoices = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
]

/** Returns the chosen theme, and a setter that takes one of `themeChoices`; anything else is the system's. */
export function useTheme() {
  const { setColorScheme } = useMantineColorScheme()
  const { settings, change } = useSettings()
  function choose(value: string) {
    const theme = value === 'light' || value === 'dark' ? value : 'system'
    change({ theme })
    setColorScheme(theme === 'system' ? 'auto' : theme)
  }
  return { theme: settings.theme, choose }
}
