import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { AtomProvider } from '../shared/jotai.ts'
import { readNonce } from './nonce.ts'
import { cssVariables, theme } from './theme.ts'

/** Toasts wait in their store until what shows them has come; the first page need not carry it. */
const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }))

interface ProvidersProps {
  client: QueryClient
  children: ReactNode
  /** `test` switches transitions off. */
  env?: 'default' | 'test'
}

/** What every screen stands in: theme, toasts, server data and atoms. */
export function Providers({ client, children, env = 'default' }: ProvidersProps) {
  return (
    <AtomProvider>
      <QueryClientProvider client={client}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={readNonce}
          env={env}
        >
          <Suspense>
            <Toasts />
          </Suspense>
          {children}
        </MantineProvider>
      </QueryClientProvider>
    </AtomProvider>
  )
}
