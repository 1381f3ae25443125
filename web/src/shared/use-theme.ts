import { useMantineColorScheme } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useSettings } from './settings.ts'

export const themeChoices = [
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
  { value: 'system', label: t('System') },
]

/** Returns the chosen theme, and a setter that takes one of `themeChoices`; anything else means the system's theme. */
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
