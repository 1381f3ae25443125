import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AtomProvider } from '../shared/jotai.ts'
import { toastLimit } from '../shared/toast.tsx'
import { readNonce } from './nonce.ts'
import { cssVariables, theme } from './theme.ts'

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
          <Notifications position="top-right" limit={toastLimit} />
          {children}
        </MantineProvider>
      </QueryClientProvider>
    </AtomProvider>
  )
}
