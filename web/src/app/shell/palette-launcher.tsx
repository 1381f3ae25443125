import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import classes from './palette-launcher.module.css'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))

/** Opens the command palette by button and by Ctrl-K, and loads it the first time. */
export function PaletteLauncher({ user }: { user: User }) {
  const [requestCount, setRequestCount] = useState(0)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // By the key's place: the letter differs on keyboards set to Pashto.
      if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setRequestCount((count) => count + 1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <>
      <span className={classes.button}>
        <IconButton
          label={t('Command palette (Ctrl K)')}
          size="lg"
          onClick={() => setRequestCount((count) => count + 1)}
        >
          <IconSearch size={20} stroke={1.5} />
        </IconButton>
      </span>
      {requestCount > 0 && (
        <Suspense>
          <CommandPalette user={user} requestCount={requestCount} />
        </Suspense>
      )}
    </>
  )
}
