import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import { findRow, makeListed, renderLibrary } from '../testing/library.tsx'
import { firstListRequest } from './preload-home.ts'
import { preloadable } from './preloadable.tsx'

it('asks early for what the library without filters asks for', async () => {
  const { requests } = renderLibrary([makeListed(1)])
  await findRow('call-1.wav')
  expect(requests.map(({ pathname, search }) => pathname + search)).toContain(firstListRequest)
})

it('shows a component that was loaded before without its fallback', async () => {
  const { Component, preload } = preloadable(() => Promise.resolve(() => <p>home</p>))
  await preload()
  render(
    <Suspense fallback="loading">
      <Component />
    </Suspense>,
  )
  expect(screen.getByText('home')).toBeVisible()
})

it('loads a component that is shown unloaded', async () => {
  const { Component } = preloadable(() => Promise.resolve(() => <p>home</p>))
  render(
    <Suspense fallback="loading">
      <Component />
    </Suspense>,
  )
  expect(await screen.findByText('home')).toBeVisible()
})
