import { DirectionProvider, MantineProvider } from '@mantine/core'
import { useNotifications } from '@mantine/notifications'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage } from '#contract/texts/t.ts'
import { readNonce } from './nonce.ts'
import { cssVariables, theme } from './theme.ts'

/** Toasts wait in their store until the component that shows them is loaded, so the first page can do without it. */
const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }))

const { direction } = interfaceLanguages[currentLanguage()]

interface ProvidersProps {
  client: QueryClient
  children: ReactNode
  /** `test` disables transitions. */
  env?: 'default' | 'test'
}

/** Provides every screen with theme, toasts and server data. Atoms live in jotai's default store, which the first page does not load. */
export function Providers({ client, children, env = 'default' }: ProvidersProps) {
  return (
    <QueryClientProvider client={client}>
      <DirectionProvider initialDirection={direction} detectDirection={false}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={readNonce}
          env={env}
        >
          <LazyToasts />
          {children}
        </MantineProvider>
      </DirectionProvider>
    </QueryClientProvider>
  )
}

/** Loads the toasts component when the first toast appears. */
function LazyToasts() {
  const { notifications } = useNotifications()
  const [isNeeded, setIsNeeded] = useState(false)
  if (notifications.length > 0 && !isNeeded) setIsNeeded(true)
  if (!isNeeded) return null
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  )
}
