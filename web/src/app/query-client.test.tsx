import { QueryClientProvider, useMutation } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'

it('forgets what a form sent, passwords included, when the form is left', async () => {
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const signIn = ({ password }: { password: string }) => Promise.resolve(password.length)
  const { result, unmount } = renderHook(() => useMutation({ mutationFn: signIn }), { wrapper })
  await result.current.mutateAsync({ password: 'Silver-moon7' })
  expect(client.getMutationCache().getAll()).toHaveLength(1)
  unmount()
  await waitFor(() => expect(client.getMutationCache().getAll()).toEqual([]))
})
