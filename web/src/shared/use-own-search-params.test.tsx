import { act, render, screen } from '@testing-library/react'
import { lazy, Suspense, type ComponentType } from 'react'
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom'
import { expect, it } from 'vitest'
import { useOwnSearchParams } from './use-own-search-params.ts'

/** A page that writes its scroll position into the address, as the library does a moment after scrolling. */
function Library() {
  const [params, setParams] = useOwnSearchParams()
  return (
    <>
      <Link to="/users">the library at {params.get('row') ?? 'the top'}</Link>
      <button type="button" onClick={() => setParams({ row: '40' }, { replace: true })}>
        write
      </button>
    </>
  )
}

const writePlace = () => screen.getByRole('button', { name: 'write' }).click()

it('what a page writes into the address while the next one loads does not lead back to it', async () => {
  const loading = Promise.withResolvers<{ default: ComponentType }>()
  const Users = lazy(() => loading.promise)
  history.replaceState(null, '', '/library')
  render(
    <Suspense>
      <BrowserRouter>
        <Routes>
          <Route path="/library" element={<Library />} />
          <Route path="/users" element={<Users />} />
        </Routes>
      </BrowserRouter>
    </Suspense>,
  )
  act(() => writePlace())
  expect(location.search).toBe('?row=40')
  act(() => screen.getByRole('link', { name: 'the library at 40' }).click())
  act(() => writePlace())
  await act(async () => loading.resolve({ default: () => <p>the users</p> }))
  expect(await screen.findByText('the users')).toBeVisible()
  expect(location.pathname).toBe('/users')
})
